// Owns the everyday words of computers, accounts, devices, security, law, data protection and rules. Data only; fields.ts describes the
// format of a line.

export const computing = `
computer laptop pc notebook machine / ordinateur ordi portable pc bécane
computer laptop pc notebook mobile smartphone / ordinateur ordi portable pc mobile smartphone > device / appareil
mobile phone smartphone cell cellphone / téléphone portable smartphone mobile
screen monitor display / écran moniteur
keyboard / clavier
mouse / souris
charger / chargeur
adapter / adaptateur
printer print / imprimante imprimer
device gadget equipment kit hardware / appareil matériel équipement
app application software tool program / appli application logiciel outil programme
wifi wireless internet / wifi internet réseau
network / réseau
server hosting hosted / serveur hébergement
site website webpage / site
browser / navigateur
email mail inbox / mail courriel messagerie
spam junk phishing scam dodgy / spam arnaque hameçonnage phishing > phishing suspicious email report / hameçonnage suspect signaler
attachment / jointe
password passcode / passe mdp
forgot forgotten / oublié oublier > reset forgotten lost / réinitialiser réinitialisation
reset / réinitialiser réinitialisation
login signin logon connect access / connexion connecter identifier accès
lockedaccount locked / verrouillé bloqué
twofactor mfa 2fa authenticator / double authentification
username identifier / identifiant pseudo
account profile / compte profil
access rights permission permissions / accès droits autorisation habilitation
hack hacked hacker virus malware ransomware / pirater piratage pirate virus > incident breach security attack malware / incident violation sécurité attaque
breach leak leaked / fuite violation
crash crashed bug bugs glitch frozen / bug plante planter bloque > error failure incident fault / erreur incident panne dysfonctionnement
outage downtime offline unavailable / panne indisponible interruption hors
uptime availability sla / disponibilité
helpdesk support techies / informatique support assistance dépannage dsi
update upgrade patch / mise jour version
backup backups / sauvegarde sauvegardes
restore recover / restaurer récupérer
file files folder document / fichier dossier document
upload import / importer téléverser envoyer
download export / télécharger exporter
share sharing shared / partager partage
delete erase wipe remove deleted / supprimer effacer suppression
save store stored keep / enregistrer conserver stocker garder
encrypt encrypted encryption / chiffrer chiffré chiffrement crypté
cloud / cloud nuage hébergé
chatgpt copilot chatbot / chatgpt copilot > assistant assistants artificial intelligence / ia intelligence artificielle assistant
integration connect / intégration connecter
user users / utilisateur utilisateurs
admin administrator / administrateur admin
feature function / fonctionnalité fonction
settings configure / paramètres réglages configurer
quota storage / quota espace
plan pricing tier / formule offre tarif
trial demo try / essai démo essayer
invoice billing / facture facturation
manual instructions handbook / notice manuel
button switch / bouton interrupteur
turnon start / allumer démarrer > start press button power switch / démarrer allumer bouton mettre marche
turnoff stop / éteindre arrêter > stop press power switch / arrêt éteindre couper
install setup assemble / installer installation monter montage
clean / nettoyer nettoyage
filter / filtre
battery batteries / batterie pile accu
warning alert alarm / alerte alarme avertissement
camera cctv surveillance / caméra vidéosurveillance
fire flames burning / incendie feu flamme
evacuate evacuation / évacuer évacuation sortir > evacuation evacuate assembly leave / évacuation évacuer rassemblement
extinguisher / extincteur
assembly meetingpoint muster / rassemblement
accident incident injury / accident incident
dangerous danger hazard risky unsafe / danger dangereux risque
chemical chemicals toxic / chimique produit toxique
nick nicked pinched swiped robbed burgled steal stolen thief / voler volé piquer piqué chourer dérobé cambrioler > theft thefts stolen police burglary / vol vols dérobé police
burglary breakin / cambriolage effraction
fight brawl violence / bagarre violence
weapon gun / arme
knife / couteau
police / police gendarmerie
allowed allow permitted okay accepted welcome / autorisé droit possible permettre accepté admis > allowed permitted forbidden prohibited authorised banned tolerated admitted accepted welcome / permis autorisé interdit défendu toléré proscrit admis accepté bienvenu bienvenus
bring / amener emmener apporter > allowed permitted accepted admitted welcome forbidden prohibited / autorisé accepté admis bienvenu bienvenus interdit
forbidden banned prohibited illegal / interdit défendu proscrit prohibé illégal
mandatory compulsory obligatory required / obligatoire exigé requis imposé
need necessary / besoin nécessaire falloir > required mandatory compulsory necessary obligatory / obligatoire exigé nécessaire requis indispensable
optional / facultatif
rule rules regulations policy / règle règles règlement consigne
exception exempt exemption / exception exempté dispense dérogation
law legal statutory / loi légal légale
court sue suing lawsuit / tribunal procès poursuivre > court jurisdiction dispute law / tribunal juridiction litige compétent
complain appeal object / contester recours opposition
proof prove evidence / preuve prouver justificatif
id identification identity passport / identité papiers passeport
papers paperwork documents / papiers documents dossier pièces
form / formulaire
consent permission / consentement accord autorisation
written writing / écrit écrite
signature sign / signature signer
copy / copie duplicata
privacy gdpr / rgpd
dpo / dpo délégué
retention kept keep / conservation conservé durée
confidential secret / confidentiel secret
report declare notify / déclarer signaler prévenir avertir > reported report declared notified announced informed / signalé déclaré annoncé informé
warn inform notify / prévenir avertir informer > notice inform informed reported notify announce / préavis informer signaler avertir annoncer
contact reach call ring phone speak talk write / contacter joindre appeler téléphoner écrire parler > contact contacted phone telephone addressed / contact téléphone contacter adressé joindre
phone ring buzz / appeler téléphoner bigo
complain moan / plaindre râler > complaints addressed relations / réclamations adressées
thing stuff things / truc bidule chose > items objects equipment / objets matériel affaires
enough sufficient / assez suffisant
extra additional / davantage supplémentaire
less fewer / moins
total altogether overall / total ensemble
half / moitié demi
third / tiers
percent percentage / pourcentage pourcent
number count / nombre
average mean / moyenne moyen
big large huge / grand gros énorme
small tiny little / petit minuscule
quick fast rapid / rapide vite
new latest recent / nouveau dernier récent
best / meilleur
wrong mistake error / erreur faute tromper
problem trouble issue hiccup / problème souci pépin galère > problem incident fault complaint / problème incident défaut
help assist aid / aide aider assistance
wear dressed / porter habiller habillé
bring carry take / apporter amener porter emmener
supply provide provided given / fournir fourni > provided supplied given available / fourni fournis remis mis disposition
throw chuck toss bin / jeter balancer > waste disposed collected deposited container / déchets jeté déposé collecté bac
fall fell dropped drop / tomber tombé chute > fallen dropped fall / tombée tombé chute
change modify alter / changer modifier modification
check inspect verify / vérifier contrôler contrôle vérification
servicing checkup service inspection / révision révisé contrôle entretien
measure / mesure mesurer
choose pick select / choisir sélectionner
reply answer respond response / répondre réponse
agree agreed / accord accepté
plan planned planning / prévoir prévu projet
goal target aim / objectif
spend spent spending / dépenser dépense
pressure inflate pump / pression gonfler gonflage bars
tighten screw / serrer visser serrage
oil grease lubricate / huile graisse lubrifier
tool tools / outil outils
key keys wallet purse umbrella jacket coat scarf bag phone glasses / portefeuille parapluie veste manteau écharpe sac > items belongings property objects / objets affaires
gig concert / concert spectacle > event concert festival / événement concert
write email letter / écrire lettre courrier > addressed contact email sent writing / adresser adressé contact écrit
microphone mic / micro microphone
cordless wireless / cordless
downtime outage / indisponibilité panne interruption
storage / stockage
datacenter server hosting hosted / serveur hébergement hébergé
severity priority criticality / gravité sévérité priorité criticité
critical urgent / critique urgent
log logs / journal journaux
coupon voucher promo / coupon bon promo > code discount / code remise
overage / dépassement
erasure deletion / suppression effacement
sso saml
`;

export const computingPhrases = `
two factor = twofactor
double authentification = twofactor
turn on = turnon
switch on = turnon
turn off = turnoff
switch off = turnoff
meeting point = meetingpoint
point de rassemblement = meetingpoint
assembly point = meetingpoint
break in = burglary
broken into = burglary
set up = setup
get rid of = throw
throw away = throw
throw out = throw
pièce d identité = identity
pièces d identité = identity
carte d identité = identity
identity document = identity
identity card = identity
identity documents = identity
papiers d identité = identity
mode d emploi = manual
mises à jour = update
mettre à jour = update
bank card = card
carte bleue = card
code pin = pin
sans fil = wireless
data center = datacenter
data centre = datacenter
data centers = datacenter
data centres = datacenter
centre de donnees = datacenter
centres de donnees = datacenter
single sign on = sso
authentification unique = sso
`;
