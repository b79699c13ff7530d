// Owns words of money, professions, school, leisure, travel, vehicles, devices and offices, each with its translation. Data only; fields.ts
// describes the format of a line.

export const outsidePairs = `
rate / taux
overdraft / découvert
investment invest / investissement investir placement
auditor / commissaire
scam / escroquerie arnaque
counterfeit fake / contrefaçon
deductible deduct / déductible déduire
poor poverty / pauvre pauvreté
fundraising / collecte
premium / cotisation
bankrupt / failli
auction / enchère
lump / forfait
arrears / arriéré
severance / indemnité
sabbatical / sabbatique
caregiver / aidant
lecturer / enseignant
researcher / chercheur
scientist / scientifique
welder / soudeur
tailor / tailleur couturier
shepherd / berger
farmer / exploitant
fireman / pompier
lifeguard / sauveteur
crew / équipage
judge / juge
prosecutor / procureur
jail prison / prison
translator / traducteur
surveyor / géomètre
locksmith / serrurier
roofer / couvreur
usher / ouvreur
dancer / danseur
actor actress / acteur comédien
author writer / auteur écrivain
editor publisher / éditeur
headcount / effectif
workforce / effectif
competitor / concurrent
punishment punish / punition punir
blackmail / chantage
gesture / geste
apology apologise apologize / excuse
trust / confiance
mentor / tutorat mentor
teamwork / collaboration
draw / tirage
thesis dissertation / mémoire
transcript / relevé
dorm dormitory / dortoir internat
playground / préau
blackboard / tableau
backpack schoolbag / cartable
syllabus / programme
chapter / chapitre
spelling / orthographe
mathematics math / mathématique maths
chemistry / chimie
attendance / assiduité
nursery / maternelle
show / spectacle
intermission interval / entracte
row / rang rangée
standing / debout
boxoffice / billetterie guichet
rehearse / répéter
pottery / poterie
knitting / tricot
embroidery / broderie
chess / échecs
league / ligue championnat
season / saison
pitch / terrain
treadmill / tapis
sauna / sauna hammam
dumbbell / haltère
lane / couloir
diving / plongée plongeon
paddle / pagaie
raft / radeau
mooring berth / amarrage amarrer
tide / marée
seasick seasickness / nausée
deck / pont
barge houseboat / péniche
shore / rive
saddle / selle
stable livery / écurie
canter gallop / galop
farrier / maréchal
trek / balade
chairlift / télésiège
sledge / luge
chalk / magnésie
belay / assurage assurer
bouldering / bloc
summit / sommet
compass / boussole
torch flashlight / torche
hammock / hamac
marquee / chapiteau
fireworks / artifice
guest / convive
fishing / pêche
hunting / chasse
hunter / chasseur
layover stopover / escale correspondance
runway / piste
takeoff / décollage
trolley / chariot
handluggage / cabine
pedestrian / piéton
crossing / traversée
landscape / paysage
twin / jumeau
castle / château
signpost / panneau
roundabout / rondpoint
pavement sidewalk / trottoir
kerb curb / trottoir
crossroads intersection / carrefour
traffic / circulation
detour diversion / déviation
yesterday / hier
windscreen windshield / parebrise
wiper / essuieglace
bumper / parechoc
hood / capot
clutch / embrayage
gearbox / vitesse
exhaust / échappement
oilchange / vidange
tow / remorquer remorquage
impound pound / fourrière
dent / bosse cabossé
odometer / compteur
numberplate / immatriculation
registration / immatriculation
handlebar / guidon
pannier / sacoche
hitch / attelage
horn / klaxon
logout / déconnexion déconnecter
template / modèle
sender / expéditeur
recipient addressee / destinataire
schedule / programmer planifier
duplicate / doublon
fingerprint / empreinte
pair / appairer appairage
firmware / micrologiciel
remotecontrol / télécommande
descale limescale / détartrer calcaire tartre
speaker loudspeaker / hautparleur
cartridge toner / cartouche
broadband / fibre
landline / fixe
roaming / itinérance
voicemail / répondeur
timezone / fuseau
newsletter / infolettre
podcast / balado
subtitle / soustitre
chatbot / robot
citizenship / nationalité citoyenneté
immigration immigrant / immigration
asylum refugee / asile réfugié
homeless / sansabri
census / recensement
bylaw / arrêté
streetlight / lampadaire
pothole / niddepoule
parade / défilé
stray / errant
fouling faeces excrement / déjection crotte
litter / litière
kennel / chenil
grooming / toilettage
muzzle / muselière
flea / puce
tick / tique
deworming wormer / vermifuge
claw / griffe
hedgehog / hérisson
wasp hornet / guêpe frelon
mosquito / moustique
spider / araignée
rabies / rage
sample / prélèvement
combine / cumuler cumulable
remove / enlever
avoid / éviter
mix / mélange
melt / fondre
fry / frire
soak / tremper
sharpen / affûter aiguiser
slip slippery / glisser glissant
search / fouiller
shout / crier
breathe / respirer respiration
bury / enterrer
drown / noyade noyer
spray / pulvériser
disinfect disinfectant / désinfecter désinfectant
punctual / ponctuel
honest / honnête
polite / poli
rude / impoli
serious / grave
famous / célèbre
pleasant / agréable
useful / utile
useless / inutile
harmful / nuisible
healthy / sain
steep / raide
whole / entier
usual / habituel
future / avenir
current / actuel
temporary / provisoire temporaire
grave tomb / caveau
inheritance / succession héritage
wiring / câblage
dumpster / benne
`;
