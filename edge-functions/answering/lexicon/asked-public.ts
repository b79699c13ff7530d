// Owns what people ask of clinics, vets, schools, town halls, landlords and public transport, with the words of the rules. Data only; fields.ts
// describes the format of a line. Words without a space such as "putmycar" stand for a phrase of askedPublicPhrases below.

export const askedPublic = `
doc doctor gp / docteur toubib médecin > practitioner physician / praticien médecin
putmycar / mettrevoiture > parking park garage / stationnement parking garage
sécu nhs / sécu > health insurance / assurance maladie caisse
emptystomach / àjeun > fasting eat fasted / jeun manger
homevisit / veniràlamaison > home visit visits / domicile visite
stitches plaster bandage / points plâtre pansement > suture sutures removal dressing / suture soins pansement
phobia / phobie > sedation anxiety anxious / sédation anxiété
whiter whitening / blanches blanchir > whitening / blanchiment
crooked straighten / redresser aligner > orthodontic orthodontics aligners / orthodontie gouttières
myfile records / mondossier > records record medical copy access / dossier copie accès communication
specialist / spécialiste > referral specialist / adressage courrier spécialiste
agony / atroce > emergency urgent / urgence urgences garde
peanuts allergic / cacahuètes allergique > allergy intolerance individual dietary / intolérance allergie individualisé alimentaire
notcoming / > absence absent notify report / absence absent signaler prévenir
grandma grandad granny nanny / mamie nounou > authorised person adult named / autorisée habilitée personne adulte tiers mandatée
pickup fetch collect / chercher > collection dismissal collect release / sortie remis reprendre remise
runninglate / > closing lateness surcharge late / dépassement fermeture majoration
brother sister sibling / frère sœur > sibling siblings / fratrie
teacher mistress miss / maîtresse maître instit > teacher teachers / enseignant professeur
backtoschool / rentrée > start term supplies beginning / fournitures reprise rentrée
uniform blazer / uniforme blouse > uniform dress / tenue uniforme
expel expelled suspended kickout / renvoyé viré > exclusion disciplinary sanction / exclusion discipline sanction
bully bullied / embêté tapé harcelé > bullying harassment / harcèlement
diaper diapers nappy / > nappies diapers / couches change
/ redoubler > progression repeat / redoublement passage
signup enrol register / inscrire inscription > registration admission enrolment membership / admission adhésion inscription dossier
movedhere / emménagé > residence registration change arrival / domicile changement déclaration arrivée
marry wedding / mariage > ceremony civil registrar / célébration civil publication
vote voting / voter > proxy postal polling electoral / procuration électorale bureau
lowincome / gagnepeu > means income assistance hardship concession social / ressources secours aide sociale quotient
passport / passeport > identity document passport / identité titre pièce
rentahall / louersalle > hire hall community / location salle
hedge tree / haie arbre > hedge pruning boundary felling / élagage taille haie abattage
lamp streetlamp / lampadaire > lighting street / éclairage
barking bark / aboyer aboie > noise nuisance dog / nuisance bruit aboiements
racket partying noisy loud / boucan raffut raffût > noise disturbance nuisance quiet / bruit nuisance tapage calme
mend / réparer > repair repairs maintenance caretaker / réparation réparations entretien gardien
girlfriend boyfriend fiancé mate / copine copain > occupant occupants cohabitant partner / occupant occupants concubin conjoint
rentup / augmenterloyer > rent increase increases index review / indexation révision indice loyer
letout / souslouer > sublet subletting / souslocation location
holes nails drill / trous clous percer > alterations drilling reinstatement / perçage percements transformations remise
wearandtear marks / traces marques > wear tear condition / vétusté usure état
bins trash / poubelles > containers waste bins collection / conteneurs bacs déchets collecte
noticket inspector fined / contrôleur sansbillet > penalty fare inspection fine / infraction amende contrôle contravention
/ abonné abonnement > season pass subscription / abonnement carte
tap / badger > validate validation tap / validation valider
unemployed jobless / chômeur chômage > jobseeker concession reduced / demandeur emploi réduit
neuter spay snip / castrer opérer > neutering castration spaying sterilisation / castration stérilisation
shot shots jab jabs needle / piqûre > vaccine vaccination booster / vaccin vaccination rappel
fleas ticks worms / tiques > parasite parasites worming / antiparasitaire vermifuge parasites
poison swallowed chocolate / avalé poison > poisoning toxic emergency / intoxication toxique urgence
chipped tagged / tatoué > microchip identification / identification puce
kennel boarding / gardiennage > boarding kennel / pension
limping bleeding / saigner > emergency injury consultation / urgence blessure consultation
sick / vomi vomir > vomiting gastroenteritis exclusion / vomissements gastro éviction
toolate / troptard > deadline latest closing / limite clôture délai
whattobring / apporterquoi > bring required documents proof provide / pièces fournir justificatif présenter prévoir
costanything / coûtequelquechose > free charge fee charged / gratuit frais facturé tarif
tooth teeth / > dental dentist / dentaire dentiste
absent / absent > attendance / assiduité présence
movein / emménager > handover inventory / lieux remise
clogged / bouché bouchées > plumber repair unblocking / plombier dépannage débouchage
lice nits / poux > pediculosis / pédiculose
/ vieux > / senior seniors
/ construire bâtir > / permis urbanisme déclaration
glued gum filling fell / plombage > filling emergency restoration / urgence obturation
specs contact lens / lentilles > lenses optician / lentilles opticien
flu jab covid / covid > vaccination seasonal / vaccination saisonnière
secretary receptionist / secrétaire > reception secretariat / secrétariat accueil
copay extra dépassements / dépassement > surcharge fees sector / honoraires secteur
wheezing asthma inhaler / asthme ventoline > medication plan individual / traitement individualisé protocole
medicine give / médicament donner > medication prescription administered / médicament ordonnance traitement
snack goûter / goûter > snack afternoon / goûter collation
homesick cry crying / pleure > settling adaptation / adaptation
fight fought punched / bagarre frappé > violence discipline sanction / violence discipline sanction
catchup missed lesson / rattraper > catch lesson makeup / rattrapage
transfer / > transfer deregistration / radiation certificat
wedding witness / témoins > witness witnesses ceremony / témoin témoins
surname / > surname declaration / nom déclaration filiation
/ rue fête > road closure event permit / voirie occupation autorisation
stall market / vendre > pitch trader permit / emplacement commerçant droits
bottles cardboard / verre carton > recycling container / tri conteneur collecte
wasps nest / rats guêpes > pest control / dératisation frelon nuisibles
gritting snow ice / verglas neige > gritting winter / déneigement salage
benefit rent help / aide allocs > housing benefit support / logement allocation aide
boiler serviced chimney / chaudière ramonage > annual servicing / entretien annuel
carpet floor scratched / parquet moquette > damage deductions deposit / dégradations retenues
intercom buzzer / interphone sonnette > intercom access / interphone
storage cellar / cave > cellar bicycle storage / cave local
overnight / invités > guests visitors stay / invités hébergement
railcard / carte jeune > railcard reduced fare / réduction tarif
topup oyster / recharger > topup credit / rechargement
traffic / embouteillage bouchons > late lateness delay / retard dépassement
/ gueuler beugler > / nuisance nuisances bruit tapage
landlordvisit / entrerchezmoi > access visit notice inspection / visite accès préavis
surname / > name details personal declaration
petsitting / gardermonchien > boarding kennel sitting / pension garde
itching / gratter > parasite parasites fleas skin / antiparasitaire parasites peau
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const askedPublicPhrases = `
put my car = putmycar
put the car = putmycar
leave my car = putmycar
leave the car = putmycar
mets ma voiture = mettrevoiture
mettre ma voiture = mettrevoiture
laisser ma voiture = mettrevoiture
mettre la voiture = mettrevoiture
empty stomach = emptystomach
à jeun = ajeun
come to me = homevisit
come to us = homevisit
venir chez moi = veniralamaison
my file = myfile
my records = myfile
mon dossier = mondossier
not coming in = notcoming
isn t coming = notcoming
back to school = backtoschool
sign my kid = signup
moved here = movedhere
just moved = movedhere
viens d emménager = emmenage
low income = lowincome
little money = lowincome
don t earn = lowincome
gagne peu = gagnepeu
gagne pas beaucoup = gagnepeu
petit salaire = gagnepeu
faibles revenus = gagnepeu
louer une salle = louersalle
louer la salle = louersalle
rent a hall = rentahall
rent the hall = rentahall
rent up = rentup
raise my rent = rentup
raise the rent = rentup
increase my rent = rentup
augmenter mon loyer = augmenterloyer
augmenter le loyer = augmenterloyer
let it out = letout
let it to = letout
let my flat = letout
sous louer = souslouer
make a racket = racket
wear and tear = wearandtear
no ticket = noticket
without a ticket = noticket
sans billet = sansbillet
too late = toolate
trop tard = troptard
what to bring = whattobring
apporter quoi = apporterquoi
quoi apporter = apporterquoi
cost anything = costanything
coûte quelque chose = coutequelquechose
exam again = resit
retake the exam = resit
loyer augmente = augmenterloyer
rent goes up = rentup
rent go up = rentup
loyer va monter = augmenterloyer
monter mon loyer = augmenterloyer
monter le loyer = augmenterloyer
entrer chez moi = entrerchezmoi
venir dans mon = entrerchezmoi
come into my = landlordvisit
enter my flat = landlordvisit
shut up = noisy
polling day = vote
election day = vote
look after him = petsitting
look after my = petsitting
garder mon chien = gardermonchien
garder mon chat = gardermonchien
`;
