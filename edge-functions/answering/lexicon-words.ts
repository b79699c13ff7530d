// Owns which English and French words stand for the same thing in the texts that organisations keep. Data only: one line is one
// meaning; words of a line may stand for one another, in either language. A word in two lines has two meanings.

/** The languages on both sides of a line. Another language brings its own lines, in its folder. */
export const firstLanguages = ["en", "fr"];

export const meanings = `
holiday vacation leave pto / conge vacance
sick ill illness sickness / malade maladie arret
salary pay wage wages payroll remuneration paid earn / salaire paie paye remuneration payer
payslip paystub / bulletin fiche
bonus premium / prime
employee staff worker personnel colleague / salarie employe collaborateur personnel
employer company firm business organisation organization / employeur entreprise societe compagnie
manager supervisor lead boss superior / responsable manager superieur chef
director head / directeur directrice
hr people human resources / rh ressources humaines
contract agreement / contrat accord
resign resignation quit leave notice leaving / demission demissionner preavis depart
dismiss fire terminate dismissal termination / licencier licenciement
trial probation probationary / essai
overtime / supplementaire
shift / equipe poste
remote telework teleworking homeworking wfh / teletravail distance
home house / domicile maison
office workplace / bureau
allowance stipend / indemnite forfait allocation
expense cost spending spend / frais depense cout
reimburse refund repay compensate compensation compensated reimbursement / rembourser remboursement indemniser
receipt / justificatif recu ticket
invoice bill / facture
price cost cost tariff rate fee charge / prix tarif cout
cheap cheapest inexpensive / cher economique
expensive costly dear / cher couteux onereux
free gratis complimentary / gratuit gratuitement offert
discount reduction rebate / remise reduction rabais
budget / budget
tax vat duty / taxe tva impot
limit cap ceiling maximum max threshold / plafond limite maximum seuil
minimum least / minimum
meal food lunch dinner breakfast eat / repas nourriture dejeuner diner manger
voucher coupon / titre ticket bon cheque
restaurant / restaurant resto
canteen cafeteria / cantine
hotel accommodation lodging / hotel hebergement logement
trip travel journey / voyage deplacement trajet
train rail / train
flight plane fly air / vol avion
car vehicle automobile / voiture vehicule auto
drive driving driver / conduire conduite conducteur
bike bicycle cycle cycling / velo bicyclette
kilometre kilometer km mileage / kilometre km
fuel petrol gas / carburant essence
parking park / parking stationnement garer
motorway highway freeway / autoroute
fine penalty / amende contravention
insurance insured insure cover / assurance assure assurer mutuelle couverture
health medical / sante medical
doctor physician gp / medecin docteur
certificate note / certificat attestation
pension retirement retire / retraite
maternity birth pregnant pregnancy / maternite naissance enceinte grossesse
paternity father / paternite pere
parental parent mother / parental parent mere
child kid children kids / enfant
adoption adoptive adopt / adoption adoptif
wedding marriage marry / mariage marier
funeral bereavement death die / deces obseque deuil
move relocate relocation / demenagement demenager
password passcode passphrase / passe
login signin sign / connexion connecter
account / compte
laptop notebook computer pc / ordinateur portable
phone telephone mobile call / telephone portable appeler
device equipment hardware / appareil materiel equipement
email mail e-mail message / courriel mail message mel
network wifi wlan wi / reseau wifi
internet web online / internet web ligne
site website page / site page
software application app program / logiciel application
backup / sauvegarde
security safety secure / securite sur
steal stolen theft thief / vol voler vole
lose lost loss / perdre perdu perte
breach leak leaked / violation fuite
phishing phish suspicious scam / hameconnage suspect
incident accident / incident accident
data information info / donnee information
store stored keep kept storage retain retention / stocker conserver garder conservation
delete erase remove deletion wipe / supprimer effacer suppression
share sharing / partager partage
confidential secret private confidence / confidentiel secret prive
access permission / acces droit
customer client buyer / client acheteur
supplier vendor provider / fournisseur prestataire
order purchase buy bought / commande achat acheter commander
delivery deliver shipping ship shipment send / livraison livrer expedition expedier envoyer envoi
return returns / retour retourner rendre renvoyer
exchange swap replace replacement / echange echanger remplacer remplacement
warranty guarantee guaranteed / garantie garantir
repair fix mend / reparation reparer
service maintenance / entretien service maintenance revision
spare part / piece rechange
broken defect defective faulty damaged damage / casse defaut defectueux abime dommage panne
stock inventory available availability / stock disponible disponibilite
product item article good / produit article
size dimension / taille dimension
weight weigh heavy heavier heaviest / poids peser lourd
light lighter lightest / leger
length long longest / longueur long
height high tall / hauteur haut
speed fast quick rapid / vitesse vite rapide rapidement
slow slowest / lent
battery / batterie
charge charger charging / charge chargeur charger recharge
range autonomy distance far / autonomie distance
seat place / place siege
colour color / couleur
address location located / adresse lieu situe
shop store boutique outlet / magasin boutique
warehouse depot / entrepot depot
workshop garage / atelier garage
city town / ville
country / pays
abroad foreign / etranger
opening open opens hours / ouverture ouvrir ouvert horaire
close closed closing / fermeture fermer ferme
hour / heure
day / jour journee
week weekly / semaine hebdomadaire
month monthly / mois mensuel
year annual yearly / an annee annuel
today / aujourd
date deadline due / date delai echeance limite
term period duration time / duree periode delai
begin start / commencer debut debuter
end finish expire expiry / fin finir expirer expiration
before advance early beforehand / avant avance
late later delay / tard retard
ask request apply application / demande demander
approve approval authorise authorize agree allowed permitted allow permit may sign / approuver accord autoriser autorisation permis valider accorder
refuse reject decline refused rejected / refuser rejeter refus
forbidden prohibited banned / interdit
must required need necessary mandatory require / obligatoire devoir necessaire falloir exiger
rule policy regulation / regle politique reglement
procedure process step / procedure processus etape
responsible charge owner / responsable charge
contact reach / contact contacter joindre
complaint complain claim / reclamation plainte
harassment bullying / harcelement
meeting / reunion
minute minutes record / compte rendu proces
decision decide decided / decision decider
training course learn / formation cours apprendre
job position role / poste emploi metier
apply candidate applicant hire hiring recruit recruitment / candidat candidature embauche recruter recrutement
review appraisal evaluation / entretien evaluation
promotion raise increase / augmentation promotion hausse
decrease drop fall fell / baisse diminution
sale sales revenue turnover / vente ventes chiffre affaire
profit margin / benefice marge
result / resultat
market / marche
team department / equipe service departement
visitor guest / visiteur invite
badge card / badge carte
key / cle
door entrance reception desk front / porte entree accueil reception
building premises site / batiment locaux site
room / salle piece
desk / bureau
chair / chaise
water / eau
waste rubbish recycling / dechet recyclage
energy electricity power electric / energie electricite electrique
solar panel panels / solaire panneau
install installed installation / installer installation
dog pet animal / chien animal
transport commute commuting public / transport trajet
subscription pass season / abonnement
gym sport fitness / sport salle
nursery creche daycare childcare / creche garderie
present gift / cadeau
christmas / noel
summer / ete
winter / hiver
language / langue
name called / nom appele nomme
number amount quantity / nombre numero quantite montant
value worth / valeur
half / moitie demi
quarter / trimestre
share percentage percent part proportion / part pourcentage
first / premier
last / dernier
new / nouveau
old / ancien vieux
help support assistance / aide support assistance
question / question
answer reply / reponse repondre
form / formulaire
document file / document fichier dossier
law legal / loi legal
authority / autorite
officer / delegue
spouse partner husband wife / conjoint epoux epouse partenaire
loan lend / pret preter
recall / rappel rappeler
brake / frein
wheel tyre tire / roue pneu
motor engine / moteur
frame / cadre
serial / serie
temperature / temperature
machine / machine
clean cleaning / nettoyer nettoyage
print printer / imprimer imprimante
union / union syndicat
chief executive ceo / president directeur general pdg dg
finance financial cfo / financier finance
it / informatique
press / presse
guideline guide handbook manual / guide manuel
character letter / caractere lettre
factor authentication 2fa mfa / facteur authentification
pay paid
buy bought bring brought
sell sold
send sent
keep kept
steal stole stolen
take took taken / prendre prend prennent pris
give gave given / donner
get got gotten receive / recevoir recoit recoivent recu obtenir obtient
begin began begun
write wrote written / ecrire ecrit ecrivent
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
know knew known / savoir sait savent su connaitre connait
rise rose risen
lead led
build built / construire
spend spent
lend lent / preter pret
come came arrive / venir vient viennent venu arriver
go went gone / aller vas vont
hear heard
offer offered propose proposed / offrir offert proposer
leave left / partir part partent parti quitter
hold last take / durer dure durent
bear borne carry / porter
have possess own / posseder disposer
read / lire lit lisent lu
open opened / ouvrir ouvre ouvert
become became / devenir devient
respond react / repondre repond
lock locked / bloquer verrouiller bloque
attempt try tries / tentative essai
`;

/** Phrases that mean one thing, and the word that stands for them. */
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
conges payes = holiday
conge paye = holiday
time off = holiday
sick leave = illness
arret maladie = illness
arret de travail = illness
conge maladie = illness
work from home = telework
working from home = telework
home office = telework
works from home = telework
travail a distance = telework
mobile phone = phone
cell phone = phone
mise a jour = update
chiffre d affaires = revenue
pret de velo = loan
velo de pret = loan
numero de telephone = phone
phone number = phone
adresse mail = email
adresse e mail = email
email address = email
piece jointe = attachment
carte bancaire = card
credit card = card
carte de credit = card
frais de port = shipping
note de frais = expense
notes de frais = expense
expense report = expense
expense claim = expense
heures supplementaires = overtime
extra hours = overtime
jour ferie = holiday
jours feries = holiday
bank holiday = holiday
public transport = transport
transports en commun = transport
salle de reunion = meeting
meeting room = meeting
fire alarm = alarm
premiers secours = aid
first aid = aid
cover letter = application
chief executive = ceo
directeur general = ceo
directrice generale = ceo
`;

/** Names of places and bodies that are written in more than one way. */
export const sameNames = `
uk united_kingdom britain gb royaume_uni
usa united_states america etats_unis
eu european_union union_europeenne ue
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
sweden suede
norway norvege
finland finlande
greece grece
japan japon
china chine
india inde
canada
london londres
brussels bruxelles
antwerp anvers
ghent gand
cologne koln
munich munchen
vienna vienne
geneva geneve
lisbon lisbonne
monday lundi
tuesday mardi
wednesday mercredi
thursday jeudi
friday vendredi
saturday samedi
sunday dimanche
january janvier
february fevrier
march mars
april avril
may mai
june juin
july juillet
august aout
september septembre
october octobre
november novembre
december decembre
`;
