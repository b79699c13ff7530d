// Owns the English and French synonyms of everyday life, as lexicon-words.ts does those of work. Data only. Append new lines at the end:
// stored vectors refer to a line by its number.

export const everydayMeanings = `
rain rainy raining / pluie pleuvoir pleut pluvieux
snow snowy snowing / neige neiger enneigé
storm thunderstorm / tempête orage
weather forecast / météo
deposit / caution dépôt arrhes acompte
borrow loan lend / emprunter emprunt prêter prêt
rent rental / louer location loyer
tenant lessee renter / locataire
landlord lessor / propriétaire bailleur
lease tenancy / bail
cancel cancellation cancelled canceled cancelling / annuler annulation résilier résiliation
pause suspend suspension / suspendre suspension interrompre
book booking reserve reservation / réserver réservation
member membership / membre adhérent adhésion
join enrol enroll register registration enrolment / inscrire inscription adhérer
event / événement manifestation
party celebration / fête
birthday / anniversaire
ticket admission entry / billet entrée
queue wait waiting / file attente attendre
school / école scolaire
student pupil / élève étudiant
teacher instructor coach trainer / enseignant professeur moniteur entraîneur formateur
exam examination test / examen épreuve
library / bibliothèque médiathèque
patient / patient
medicine medication drug / médicament
prescription / ordonnance
vaccine vaccination jab / vaccin vaccination vacciner
hospital clinic / hôpital clinique
nurse / infirmier infirmière
dentist dental / dentiste dentaire
injury injured hurt wound / blessure blessé blesser
emergency urgent / urgence urgent
ambulance / ambulance
police / police gendarmerie
toilet restroom bathroom washroom wc / toilette sanitaire wc
shower / douche
locker / casier
towel / serviette
changing dressing / vestiaire
lift elevator / ascenseur
stairs staircase stairway / escalier
floor storey / étage
roof rooftop / toit toiture
garden yard / jardin
pool / piscine
noise noisy loud / bruit bruyant
quiet silence silent / calme silence
neighbour neighbor / voisin
smoke smoking smoker / fumer tabac fumeur
alcohol drink drinking / alcool boisson boire
coffee / café
vegetarian vegan / végétarien végétalien
allergy allergen allergic / allergie allergène allergique
baby infant / bébé nourrisson
adult / adulte majeur
minor underage / mineur
age aged / âge âgé
disabled disability wheelchair accessible / handicap handicapé accessible accessibilité
heat heating / chauffage chaleur chauffer
cold / froid
fire / incendie feu
repairman technician engineer / technicien ingénieur
cook chef kitchen / cuisine cuisinier
glass / verre
bottle / bouteille
bag luggage suitcase baggage / sac bagage valise
clothes clothing / vêtement
shoe footwear / chaussure chausson
helmet / casque
glove / gant
jacket coat / veste manteau
rope / corde
tool / outil
box parcel package / carton colis boîte
bed / lit
kitchen / cuisine
boat ship / bateau navire
bus coach / bus autocar
station / gare station
airport / aéroport
ski skiing / ski skier
climb climbing / escalade grimper
hike hiking walk walking / randonnée marche marcher
outing excursion / sortie excursion
rescue / sauvetage secours
lesson class / leçon cours
workshop seminar / atelier séminaire
conference congress / conférence congrès
board committee council / conseil comité
vote ballot election / vote scrutin élection voter
mayor / maire
citizen resident inhabitant / citoyen habitant résident
identity passport id / identité passeport
birth born / naissance naître né
signature sign signed / signature signer
copy photocopy / copie photocopie
stamp / timbre tampon
currency / monnaie devise
bank / banque
cash / espèces liquide
transfer wire / virement
debt owe / dette
donation donate donor / don donateur
charity nonprofit / association caritatif
volunteer / bénévole volontaire
lawyer attorney / avocat
court tribunal / tribunal
crime offence / délit infraction
witness / témoin
survey poll questionnaire / enquête sondage questionnaire
goal target objective aim / objectif but cible
plan planned schedule scheduled planning / plan prévoir prévu planning
purpose reason cause / raison motif cause
advantage benefit perk / avantage
problem issue trouble / problème souci
mistake error wrong / erreur faute
change modify alter amend / changer modifier modification
choice option / choix option
group / groupe
founder founded establish / fondateur fonder
inspect inspection check audit / contrôle contrôler inspection
confirm confirmation validate / confirmer confirmation valider
publish publication published / publier publication
invite invitation / inviter invitation
visit visiting / visite visiter
exhibition exhibit / exposition
film movie cinema / film cinéma
music concert / musique concert
book novel / livre roman
picture photo photograph image / photo image
camera / caméra appareil
video / vidéo
screen display / écran
cable wire cord / câble fil
plug socket outlet / prise
lamp bulb / lampe ampoule
filter / filtre
pump / pompe
oil / huile
tank / réservoir
paint painting / peinture peindre
wood wooden / bois
metal steel / métal acier
stone / pierre
cat / chat
horse / cheval
farm farmer / ferme agriculteur
fruit / fruit
vegetable / légume
bread bakery / pain boulangerie
meat / viande
fish / poisson
milk / lait
egg / œuf
sugar / sucre
flour / farine
recipe / recette
ingredient / ingrédient
oven / four
fridge refrigerator freezer / réfrigérateur frigo congélateur
washing wash laundry / laver lavage lessive
cleaner / nettoyage ménage
bin garbage trash / poubelle ordure
playground play game / jeu jouer
player / joueur
match / match rencontre
tournament competition contest / tournoi concours compétition
prize award / prix récompense
winner / gagnant vainqueur
team squad / équipe
beginner novice / débutant
advanced expert / avancé confirmé
youth young teenager / jeune adolescent
senior elderly / senior aîné
family / famille
friend / ami
woman female / femme
man male / homme
people person / personne gens
morning / matin
noon midday / midi
afternoon / après
evening / soir soirée
night / nuit
weekend / weekend
easter / pâques
spring / printemps
autumn / automne
north / nord
south / sud
west / ouest
inside indoor indoors / intérieur dedans
outside outdoor outdoors / extérieur dehors
empty / vide
full / plein complet
dirty / sale
dry / sec
wet / mouillé humide
strong / fort solide
weak / faible
envelope / enveloppe
newspaper magazine / journal revue
glasses / lunettes
clock / horloge
toy / jouet
mat mattress / tapis matelas
wall / mur
window / fenêtre
hall / salle hall
corridor hallway / couloir
basement cellar / cave
fence gate / clôture portail
road street / rue route
bridge / pont
river / rivière fleuve
lake / lac
beach / plage
forest / forêt
mountain / montagne
island / île
sun sunny / soleil
wind windy / vent
alarm detector / alarme détecteur
tree / arbre
plant / plante
handle responsible / occuper responsable
print printing printout / impression imprimer
outage downtime breakdown incident / panne interruption incident
collect collection pick / collecter collecte ramasser ramassage
bin garbage rubbish / bac poubelle ordure
server host hosting / serveur hébergement
clean rinse wash wipe / nettoyer rincer laver essuyer
width wide broad / largeur large
depth deep / profondeur profond
television tv telly / télévision télé
area surface / surface superficie mesurer
allowed allow permitted forbidden prohibited banned accepted / interdit autorisé permis droit défendu admis accepté
flat apartment housing dwelling home / appartement logement habitation
maintain maintenance upkeep / entretien entretenir entretenu
pay paid payable expense cost / payer paie payé frais
start begin commence / commencer débuter compter
weigh weight / poids peser pèse pèsent
boiler heater / chaudière
duration length last term / durée durer conclu
move depart departure leave / départ partir quitter déménager
repair works / réparation travaux
balcony terrace / balcon terrasse
ceiling / plafond
carpet rug / tapis moquette
curtain blind / rideau store
sofa couch / canapé
drawer cupboard wardrobe closet / tiroir placard armoire
sink tap faucet / évier robinet
mirror / miroir
plate dish crockery / assiette vaisselle
knife fork spoon cutlery / couteau fourchette cuillère couvert
heart / cœur
eye / œil yeux
tooth teeth / dent
skin / peau
pain ache / douleur mal
fever temperature / fièvre température
cough / toux tousser
surgery operation surgeon / opération chirurgie chirurgien
treatment therapy / traitement thérapie soin
diet / régime
blood / sang
pharmacy chemist drugstore / pharmacie
disease illness / maladie
angry upset / fâché
happy glad / heureux content
danger dangerous hazard risk / danger dangereux risque
protect protection protective / protéger protection
careful caution warning / attention prudence avertissement
explosion explosive / explosion explosif
poison toxic / poison toxique
swim swimming swimmer / nager nage natation baignade
sibling brother sister / frère sœur fratrie
bring drop deliver / amener déposer apporter
refund return / rembourser restituer rendre
meeting assembly / assemblée réunion
next following / prochain suivant
previous former / précédent ancien
activity / activité
session / session séance
camp campsite camping / camp camping
arrive arrival come / arriver arrivée
pack packing / emballer emporter
label mark / étiquette marquer
food meal dish / nourriture repas plat alimentation
drink beverage / boisson
hot warm / chaud
soft smooth / doux souple
hard difficult / dur difficile
easy simple / facile simple
big large great / grand gros
small little tiny / petit
heavy / lourd
high tall / haut grand
low / bas
deep / profond
wide / large
short / court bref
thick / épais
thin / mince fin
round circular / rond
square / carré
black / noir
white / blanc
red / rouge
blue / bleu
green / vert
yellow / jaune
head / tête
hand / main
foot / pied
back / dos
body / corps
voice / voix
word / mot
story history / histoire
art / art
science / science
research / recherche
university college / université
degree diploma / diplôme
grade mark / note
skill competence / compétence
experience / expérience
career / carrière
interview / entretien
success / réussite succès
failure fail / échec échouer
fight / lutte
peace / paix
war / guerre
king / roi
church / église
god / dieu
village / village
region area district / région quartier zone
border / frontière
population / population
government / gouvernement
minister / ministre
president chairman chair / président
secretary / secrétaire
treasurer / trésorier
association club society / association club
founder / fondateur
budget funding / budget financement
income revenue / revenu recette
bill / facture addition
ground soil earth / sol terre
grass lawn / herbe pelouse
flower / fleur
bird / oiseau
insect / insecte
wine / vin
beer / bière
cheese / fromage
rice / riz
chicken / poulet
salt / sel
pepper / poivre
soup / soupe
dessert sweet / dessert sucré
plastic / plastique
paper / papier
leather / cuir
cotton / coton
glass / vitre verre
silver / argent
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const everydayPhrases = `
money back = refund
swimming pool = pool
ground floor = groundfloor
rez de chaussée = groundfloor
rendez vous = appointment
without internet = offline
no internet = offline
sans internet = offline
sans connexion = offline
hors ligne = offline
lave vaisselle = dishwasher
lave linge = washer
washing machine = washer
`;
