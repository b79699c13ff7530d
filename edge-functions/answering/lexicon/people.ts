// Owns the everyday words of health, children, school, food, sports, leisure, events and animals. Data only; fields.ts describes the
// format of a line.

export const people = `
doctor doc gp / médecin docteur toubib généraliste
hospital clinic / hôpital clinique hosto
emergency emergencies casualty urgent / urgence urgences urgent
ambulance paramedic paramedics / ambulance samu secouriste pompiers
aid plaster bandage kit / secours pansement trousse > first aid post injury / secours infirmerie poste
faint fainted dizzy collapse / évanoui évanouir malaise vertige tomber > illness unwell first aid emergency / malaise secours urgence
pain hurts ache sore / mal douleur douleurs
medicine medication drugs pills tablets / médicament médicaments cachet pilule
prescription / ordonnance
pharmacy chemist / pharmacie
jab vaccine vaccination vaccinated shot injection / vaccin vaccination piqûre vacciné
allergy allergic allergies / allergie allergique
blood / sang
results / résultats
appointment slot booking / rdv rendezvous créneau consultation
noshow miss missed / manquer manqué raté absence > miss missed charged notice / manqué absence avertissement annulé
treatment / soin soins traitement
surgery operation op / opération chirurgie
fever temperature / fièvre
teeth tooth / dent dents
glasses / lunettes
lenses / lentilles
contagious catching infectious / contagieux contagion
lice nits / poux
old elderly senior seniors pensioner oap / âgé senior retraité aîné
young youth / jeune
kid kids child children toddler youngster / enfant enfants gosse gamin môme mioche bambin > child children minor infant aged / enfant mineur jeune
baby babies infant / bébé nourrisson
teen teenager teenagers adolescent / ado adolescent > minor young / mineur jeune
minor underage / mineur moins
adult grownup / adulte majeur
parent parents guardian / parent parents tuteur
daughter son / fille fils > child minor family / enfant mineur famille
grandma grandpa gran granny / mamie papy grand > senior seniors elderly / senior âgé
birthday / anniversaire
school / école scolaire bahut
nursery daycare creche childcare / crèche garderie nounou
childminder babysitter nanny / nounou assistante maternelle babysitter
playground play / jeux aire
lesson class lessons classes / cours leçon séance
homework / devoirs
exam test / examen contrôle épreuve
grade mark marks / note notes
enrol enroll register registration signup join / inscrire inscription adhérer
term semester / trimestre semestre
beginner novice newbie / débutant novice
level / niveau
certificate diploma / diplôme attestation certificat
library / bibliothèque médiathèque
book books / bouquin ouvrage
food eat grub meal meals snack lunch dinner breakfast / manger bouffe repas bouffer grailler > meal meals food dish catering / repas restauration plat déjeuner dîner
breakfast / déjeuner
dinner supper / dîner souper
vegetarian veggie / végétarien
vegan / végan végétalien
kosher / casher
glutenfree gluten coeliac / gluten
menu / carte menu
dish plate plates / plat assiette vaisselle
drink drinks thirsty / boire boisson soif > drink drinks water bottle beverage / boisson eau bouteille
tap / robinet
beer wine booze cocktail spirits drink / bière vin alcool picoler apéro pinard > alcohol alcoholic / alcool alcoolisées
burger pizza sandwich fries crepe taco / burger pizza sandwich frites crêpe kebab > food meal dish / restauration alimentation repas
restaurant cafe / restaurant resto café
bar pub / bar buvette
cup cups / gobelet tasse
bottle bottles flask / bouteille gourde
cans / canette canettes
picnic / pique
sport sports gym workout fitness / sport gym muscu
swim swimming / nager natation baignade
pool / piscine bassin
swimsuit trunks bikini / maillot
swimcap / bonnet
football soccer / foot football
match game / match rencontre partie
tournament competition contest / tournoi compétition concours
hike hiking walk / randonnée marche
climbing climb / escalade
music band gig concert / musique groupe concert spectacle
stage > scène
artist singer performer playing plays act / artiste chanteur joue jouer
lineup / programmation programme affiche
film movie cinema / film cinéma ciné
museum exhibition / musée exposition expo
guide tour guided / visite guidée
photo photos picture / photo photos image
festival event / festival événement manifestation fête
kickoff start / commencer débuter > place opens begins start / lieu ouvre débute commence
stall stand booth pitch / stand étal emplacement
trader exhibitor vendor stallholder / exposant commerçant forain
ticket > wristband pass / billet bracelet pass laissez
reentry / ressortir revenir > leave enter entry return / sortir entrer entrée
earplugs / oreille bouchons
toy game games toys / jouet jeu jeux
dog dogs puppy pooch / chien chiot toutou clebs > pet pets animal animals assistance / animal animaux chien
cat cats kitten / chat chaton matou > pet pets animal animals / animal animaux
animal beast / bête
rabbit hamster guineapig / lapin hamster cochon > small pets rodent animal / rongeur animal nac
leash lead / laisse
neuter spay castrate / stériliser castrer castration stérilisation
chip microchip / puce identification
tree trees / arbre
flower flowers / fleur
garden gardening / jardin jardinage
lost mislaid lose forgot forgotten / perdu perdre paumé oublié égaré > lostproperty lost found items property forgotten / perdu trouvé objets égaré
found find / trouvé trouver
lostproperty > lost found items / trouvés perdus objets
prize win winner / prix gagner gagnant lot
plusone / invité accompagnant
crowd attendance / affluence participants
invite invitation / inviter invitation
wedding / mariage
dance dancing / danse danser
nappy diaper / couche
member club / adhérent club association
age old aged / âge ans
maincourse / maincourse > main dish / plat
`;

export const peoplePhrases = `
premiers soins = aid
no show = noshow
no shows = noshow
show up = noshow
turn up = noshow
grown up = grownup
grown ups = grownup
gluten free = glutenfree
sans gluten = glutenfree
kick off = kickoff
kicks off = kickoff
line up = lineup
plus one = plusone
swimming cap = swimcap
bonnet de bain = swimcap
guinea pig = guineapig
guinea pigs = guineapig
baby sitter = babysitter
petit déjeuner = breakfast
petits déjeuners = breakfast
re entry = reentry
re enter = reentry
come back = reentry
coming back = reentry
go back in = reentry
years old = child
year old = child
year olds = child
main course = maincourse
main courses = maincourse
plat principal = maincourse
plats principaux = maincourse
`;
