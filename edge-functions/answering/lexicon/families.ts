// Owns the words of one root that no ending explains: irregular forms of verbs, and nouns beside their verb or adjective. Data only; fields.ts
// describes the format of a line. Without a "/" a line holds in any language, and for all regular forms of its words.

export const families = `
register registered registration
receive received reception
sell sold selling
try tried trial
choose chosen choice
begin began begun
break broke broken breakage
see seen
sleep slept
eat ate eaten
die died dead death
burn burnt burned
safe safety
speak spoke spoken speech
think thought
catch caught
feed fed
grow grew grown growth
hide hidden
know known knowledge
ride rode ridden rider
run ran running runner
sing sang sung singer
sit sat seated
swim swam swum swimmer
tear tore torn
apply applied application applicant
admit admitted admission
consume consumption consumed
destroy destruction destroyed
enter entered entry entrance
explain explanation
notify notified notification
owner ownership owned
solve solved solution
strong strength
warm warmth
hungry hunger
necessary necessity
lose lost loss
drive drove driven driver
write wrote written
steal stole stolen theft
throw threw thrown
wear wore worn
teach taught teacher
send sent sender
build built building
lend lent
spend spent spending
forget forgot forgotten
bite bitten bit
fall fell fallen
fly flew flown flight
shake shook shaken
shrink shrank shrunk
spill spilt spilled
stick stuck
sweep swept
bend bent
dig dug
draw drew drawn drawing
drink drank drunk
hang hung
hear heard hearing
heat hot heating
high height
deep depth
wide width
long length
weigh weight weighs heavy
far distance
lay laid
lead led leader
rise rose risen
sew sewn
shoot shot
shut closed
sink sank sunk
wake woke woken
marry married marriage wedding
divorce divorced separation
prove proven proof
believe belief
advise advice advised adviser
respond response
extend extension extended
expand expansion
suspend suspension suspended
decide decided decision
divide division
permit permitted permission
submit submitted submission
omit omitted omission
succeed success successful
exceed exceeded excess
proceed procedure
renew renewal renewed
refuse refusal refused
approve approval approved
arrive arrival arrived
remove removal removed
dispose disposal
propose proposal proposed
withdraw withdrew withdrawn withdrawal
bury burial buried
store stored storage
leak leaked leakage
pass passed passage
assist assistance assistant
attend attendance attendee
insure insurance insured
enrol enroll enrolled enrolment enrollment
retire retirement retired pension
resign resigned resignation
nominate nomination nominee
elect elected election
inspect inspection inspector
pregnant pregnancy
absent absence
present presence
ill illness
sick sickness
allergic allergy
disabled disability
able ability
available availability
valid validity
possible possibility
responsible responsibility
private privacy
confidential confidentiality
secure security
mature maturity
difficult difficulty
noisy noise loud
dirty dirt
dusty dust
rainy rain raining
snowy snow snowing
sunny sun sunshine
windy wind
foggy fog
icy ice
lire lit lisez lisent lu lecture
boire boit buvez boivent boisson
écrire écrit écrivez écrivent écriture
recevoir reçoit reçoivent reçu
vendre vend vendez vendent vente
prendre prend prenez prennent prise
mettre mettez mettent mise
ouvrir ouvre ouvrez ouvert ouverture
offrir offre offrez offert
choisir choisit choisissez choisissent choix
finir finit finissez finissent
servir sert servez servent
venir vient venez viennent venue
tenir tient tenez tiennent tenue
éteindre éteint éteignez éteignent extinction
peindre peint peignez peinture
suivre suit suivez suivent suivi
vivre vivez vivent
apprendre apprenez apprennent appris apprentissage
cuire cuit cuisent cuisson
peser pèse pesez pesée poids
mourir meurt décéder décès mort
naître naît naissance
retirer retiré retrait
déposer déposé dépôt
permettre permet permettez permis permission
promettre promis promesse
exiger exigé exigence
obtenir obtient obtenez obtention
joindre joignez joignable
soigner soigné soin
brûler brûlé brûlure
mordre mordu morsure
piquer piqué piqûre
obligatoire obligation
ancien ancienneté
proche proximité
loin éloigné distance
propre propreté
inscrire inscrit inscrivez inscrivent inscription
souscrire souscrit souscrivez souscription
construire construit construisez construction
conduire conduit conduisez conduite conducteur
produire produit produisez production
détruire détruit destruction
réduire réduit réduction
traduire traduit traduction
introduire introduit introduction
instruire instruit instruction
reconduire reconduit reconduction
perdre perd perdez perdu perte
rendre rend rendez rendu restitution restituer
attendre attend attendez attente
entendre entend entendez entendu audition
descendre descend descendez descente
tondre tondez tonte
répondre répond répondez réponse
étendre étendu extension
défendre défend défense interdit
dépendre dépend dépendance
suspendre suspend suspendu suspension
fondre fondu fonte
rompre rompu rupture
interrompre interrompu interruption
résoudre résolu résolution solution
dissoudre dissous dissolution
coudre cousu couture
croire croyez croyance
savoir sait savez savent
voir voit voyez voient
prévoir prévoit prévoyez prévu prévision
revoir revoyez révision
payer paie payez paient paiement
envoyer envoie envoyez envoient envoi
essayer essaie essayez essai
nettoyer nettoie nettoyez nettoyage
employer emploie employez emploi employeur
appeler appelle appelez appellent appel
rappeler rappelle rappelez rappel
jeter jette jetez jettent jet
acheter achète achetez achat
lever lève levez levée
répéter répète répétition
compléter complète complément
espérer espère espoir
protéger protège protection
remplacer remplace remplaçant remplacement
stationner stationnement garer
embaucher embauche recruter recrutement
vacciner vaccin vaccination
marier mariage
divorcer divorce séparation
tomber tombe chute
blesser blessé blessure
maigrir maigre
vieillir vieux vieillesse
grandir grand taille
élargir large largeur
allonger long longueur
hausser haut hauteur
approfondir profond profondeur
épaissir épais épaisseur
chauffer chaud chaleur chauffage
refroidir froid fraîcheur
mouiller mouillé humide humidité
sécher sec séchage
salir sale saleté
bruyant bruit
dangereux danger
absent absence absenter
présent présence
malade maladie
allergique allergie
enceinte grossesse
veuf veuve veuvage
sourd surdité
aveugle cécité
fumer fumeur tabac
nager nageur nage natation
courir court coureur course
jouer joueur jeu
chanter chanteur chant
danser danseur danse
peintre peinture
cuisiner cuisinier cuisine
coiffer coiffeur coiffure
soudeur souder soudure
pêcher pêcheur pêche
chasser chasseur chasse
mile miles mileage
`;
