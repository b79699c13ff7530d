// Owns the English and French synonyms of the texts of organisations. Data only: one line is one meaning, and its words match one another
// in either language. A word in two lines has two meanings.

/** The languages before and after the "/" of a line. Any other language has its own lines, in its folder. */
export const firstLanguages = ["en", "fr"];

export const meanings = `
holiday vacation leave pto / congé vacance
sick ill illness sickness / malade maladie arrêt
salary pay wage wages payroll remuneration paid earn / salaire paie paye rémunération payer
payslip paystub / bulletin fiche
bonus premium / prime
employee staff worker personnel colleague / salarié employé collaborateur personnel
employer company firm business organisation organization / employeur entreprise société compagnie
manager supervisor lead boss superior / responsable manager superieur chef
director head / directeur directrice
hr people human resources / rh ressources humaines
contract agreement / contrat accord
resign resignation quit leave notice leaving / démission démissionner préavis départ
dismiss fire terminate dismissal termination / licencier licenciement
trial probation probationary / essai
overtime / supplémentaire
shift / équipe poste
remote telework teleworking homeworking wfh / télétravail distance
home house / domicile maison
office workplace / bureau
allowance stipend / indemnité forfait allocation
expense cost spending spend / frais dépense coût
reimburse refund repay compensate compensation compensated reimbursement / rembourser remboursement indemniser
receipt / justificatif reçu ticket
invoice bill / facture
price cost cost tariff rate fee charge / prix tarif coût
cheap cheapest inexpensive / cher économique
expensive costly dear / cher coûteux onéreux
free gratis complimentary / gratuit gratuitement offert
discount reduction rebate / remise réduction rabais
budget / budget
tax vat duty / taxe tva impôt
limit cap ceiling maximum max threshold / plafond limite maximum seuil
minimum least / minimum
meal food lunch dinner breakfast eat / repas nourriture déjeuner dîner manger
voucher coupon / titre ticket bon chèque
restaurant / restaurant resto
canteen cafeteria / cantine
hotel accommodation lodging / hôtel hébergement logement
trip travel journey / voyage déplacement trajet
train rail / train
flight plane fly air / vol avion
car vehicle automobile / voiture véhicule auto
drive driving driver / conduire conduite conducteur
bike bicycle cycle cycling / vélo bicyclette
kilometre kilometer km mileage / kilomètre km
fuel petrol gas / carburant essence
parking park / parking stationnement garer
motorway highway freeway / autoroute
fine penalty / amende contravention
insurance insured insure cover / assurance assuré assurer mutuelle couverture
health medical / santé médical
doctor physician gp / médecin docteur
certificate note / certificat attestation
pension retirement retire / retraite
maternity birth pregnant pregnancy / maternité naissance enceinte grossesse
paternity father / paternité père
parental parent mother / parental parent mère
child kid children kids / enfant
adoption adoptive adopt / adoption adoptif
wedding marriage marry / mariage marier
funeral bereavement death die / décès obsèque deuil
move relocate relocation / déménagement déménager
password passcode passphrase / passe
login signin sign / connexion connecter
account / compte
laptop notebook computer pc / ordinateur portable
phone telephone mobile call / téléphone portable appeler
device equipment hardware / appareil matériel équipement
email mail e-mail message / courriel mail message mél
network wifi wlan wi / réseau wifi
internet web online / internet web ligne
site website page / site page
software application app program / logiciel application
backup / sauvegarde
security safety secure / sécurité sûr
steal stolen theft thief / vol voler volé
lose lost loss / perdre perdu perte
breach leak leaked / violation fuite
phishing phish suspicious scam / hameçonnage suspect
incident accident / incident accident
data information info / donnée information
store stored keep kept storage retain retention / stocker conserver garder conservation
delete erase remove deletion wipe / supprimer effacer suppression
share sharing / partager partage
confidential secret private confidence / confidentiel secret privé
access permission / accès droit
customer client buyer / client acheteur
supplier vendor provider / fournisseur prestataire
order purchase buy bought / commande achat acheter commander
delivery deliver shipping ship shipment send / livraison livrer expédition expédier envoyer envoi
return returns / retour retourner rendre renvoyer
exchange swap replace replacement / échange échanger remplacer remplacement
warranty guarantee guaranteed / garantie garantir
repair fix mend / réparation réparer
service maintenance / entretien service maintenance révision
spare part / pièce rechange
broken defect defective faulty damaged damage / cassé défaut défectueux abîmé dommage panne
stock inventory available availability / stock disponible disponibilité
product item article good / produit article
size dimension / taille dimension
weight weigh heavy heavier heaviest / poids peser lourd
light lighter lightest / léger
length long longest / longueur long
height high tall / hauteur haut
speed fast quick rapid / vitesse vite rapide rapidement
slow slowest / lent
battery / batterie
charge charger charging / charge chargeur charger recharge
range autonomy distance far / autonomie distance
seat place / place siège
colour color / couleur
address location located / adresse lieu situé
shop store boutique outlet / magasin boutique
warehouse depot / entrepôt dépôt
workshop garage / atelier garage
city town / ville
country / pays
abroad foreign / étranger
opening open opens hours / ouverture ouvrir ouvert horaire
close closed closing / fermeture fermer ferme
hour / heure
day / jour journée
week weekly / semaine hebdomadaire
month monthly / mois mensuel
year annual yearly / an année annuel
today / aujourd
date deadline due / date délai échéance limite
term period duration time / durée période délai
begin start / commencer début débuter
end finish expire expiry / fin finir expirer expiration
before advance early beforehand / avant avance
late later delay / tard retard
ask request apply application / demande demander
approve approval authorise authorize agree allowed permitted allow permit may sign / approuver accord autoriser autorisation permis valider accorder
refuse reject decline refused rejected / refuser rejeter refus
forbidden prohibited banned / interdit
must required need necessary mandatory require / obligatoire devoir nécessaire falloir exiger
rule policy regulation / règle politique règlement
procedure process step / procédure processus étape
responsible charge owner / responsable charge
contact reach / contact contacter joindre
complaint complain claim / réclamation plainte
harassment bullying / harcèlement
meeting / réunion
minute minutes record / compte rendu procès
decision decide decided / décision décider
training course learn / formation cours apprendre
job position role / poste emploi métier
apply candidate applicant hire hiring recruit recruitment / candidat candidature embauche recruter recrutement
review appraisal evaluation / entretien évaluation
promotion raise increase / augmentation promotion hausse
decrease drop fall fell / baisse diminution
sale sales revenue turnover / vente ventes chiffre affaire
profit margin / bénéfice marge
result / résultat
market / marché
team department / équipe service département
visitor guest / visiteur invité
badge card / badge carte
key / clé
door entrance reception desk front / porte entrée accueil réception
building premises site / bâtiment locaux site
room / salle pièce
desk / bureau
chair / chaise
water / eau
waste rubbish recycling / déchet recyclage
energy electricity power electric / énergie électricité électrique
solar panel panels / solaire panneau
install installed installation / installer installation
dog pet animal / chien animal
transport commute commuting public / transport trajet
subscription pass season / abonnement
gym sport fitness / sport salle
nursery creche daycare childcare / crèche garderie
present gift / cadeau
christmas / noël
summer / été
winter / hiver
language / langue
name called / nom appelé nommé
number amount quantity / nombre numéro quantité montant
value worth / valeur
half / moitié demi
quarter / trimestre
share percentage percent part proportion / part pourcentage
first / premier
last / dernier
new / nouveau
old / ancien vieux
help support assistance / aide support assistance
question / question
answer reply / réponse répondre
form / formulaire
document file / document fichier dossier
law legal / loi légal
authority / autorité
officer / délégué
spouse partner husband wife / conjoint époux épouse partenaire
loan lend / prêt prêter
recall / rappel rappeler
brake / frein
wheel tyre tire / roue pneu
motor engine / moteur
frame / cadre
serial / série
temperature / température
machine / machine
clean cleaning / nettoyer nettoyage
print printer / imprimer imprimante
union / union syndicat
ceo / président pdg dg
finance financial cfo / financier finance
it / informatique
press / presse
guideline guide handbook manual / guide manuel
character letter / caractère lettre
factor authentication 2fa mfa / facteur authentification
pay paid
buy bought bring brought
sell sold
send sent
keep kept
steal stole stolen
take took taken / prendre prend prennent pris
give gave given / donner
get got gotten receive / recevoir reçoit reçoivent reçu obtenir obtient
begin began begun
write wrote written / écrire écrit écrivent
break broke broken
choose chose chosen / choisir choisit choisissent
drive drove driven
find found
hold held
make made
meet met
say said tell told
teach taught
wear wore worn / porter
win won
grow grew grown
know knew known / savoir sait savent su connaître connaît
rise rose risen
lead led
build built / construire
spend spent
lend lent / prêter prêt
come came arrive / venir vient viennent venu arriver
go went gone / aller vas vont
hear heard
offer offered propose proposed / offrir offert proposer
leave left / partir part partent parti quitter
hold last take / durer dure durent
bear borne carry / porter
have possess own / posséder disposer
read / lire lit lisent lu
open opened / ouvrir ouvre ouvert
become became / devenir devient
respond react / répondre répond
lock locked / bloquer verrouiller bloque
attempt try tries / tentative essai
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const phrases = `
mot de passe = password
mots de passe = password
human resources = hr
ressources humaines = hr
titres restaurant = voucher
titre restaurant = voucher
ticket restaurant = voucher
tickets restaurant = voucher
ticket resto = voucher
tickets resto = voucher
meal voucher = voucher
meal vouchers = voucher
congés payés = holiday
congé payé = holiday
time off = holiday
sick leave = illness
arrêt maladie = illness
arrêt de travail = illness
congé maladie = illness
work from home = telework
working from home = telework
home office = telework
works from home = telework
travail à distance = telework
mobile phone = phone
cell phone = phone
mise à jour = update
chiffre d affaires = revenue
prêt de vélo = loan
vélo de prêt = loan
numéro de téléphone = phone
phone number = phone
adresse mail = email
adresse e mail = email
email address = email
pièce jointe = attachment
carte bancaire = card
credit card = card
carte de crédit = card
frais de port = shipping
note de frais = expense
notes de frais = expense
expense report = expense
expense claim = expense
heures supplémentaires = overtime
extra hours = overtime
jour férié = holiday
jours fériés = holiday
bank holiday = holiday
public transport = transport
transports en commun = transport
salle de réunion = meeting
meeting room = meeting
fire alarm = alarm
premiers secours = aid
first aid = aid
cover letter = application
chief executive = ceo
directeur général = ceo
directrice générale = ceo
`;

/** Names of places and organisations with more than one spelling. */
export const sameNames = `
uk united_kingdom britain gb royaume_uni
usa united_states america états_unis
eu european_union union_européenne ue
germany allemagne
france
spain espagne
italy italie
netherlands holland pays_bas
belgium belgique
switzerland suisse
austria autriche
portugal
poland pologne
ireland irlande
denmark danemark
sweden suède
norway norvège
finland finlande
greece grèce
japan japon
china chine
india inde
canada
london londres
brussels bruxelles
antwerp anvers
ghent gand
cologne köln
munich münchen
vienna vienne
geneva genève
lisbon lisbonne
monday lundi
tuesday mardi
wednesday mercredi
thursday jeudi
friday vendredi
saturday samedi
sunday dimanche
january janvier
february février
march mars
april avril
may mai
june juin
july juillet
august août
september septembre
october octobre
november novembre
december décembre
`;
