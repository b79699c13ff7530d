// Owns what people ask for, by field, with the words of documents beside it: rent and homes, shops, money, health, studies, leisure, travel,
// offices, work. Data only; fields.ts describes the format of a line, and when a remote line is read.

export const remote = `
roommate flatmate housemate / coloc colocataire > occupant sharer cotenant joint / cotitulaire colocation occupant
evict kickedout / expulser dehors > eviction possession termination / expulsion résiliation
increase raise higher / augmenter > indexation indexed revised / indexation révision indexé irl
late behind owe / retard impayé > arrears / arriérés
wallpaper repaint / repeindre tapisser > decoration alterations redecorate / transformations embellissement
picture shelf nail / cadre étagère clou > fixings drilling walls / perçage fixations murs
spare duplicate / double > duplicate copy spare / duplicata reproduction copie
handyman / bricoleur > maintenance caretaker repairs / entretien réparations
dish antenna aerial / parabole antenne > satellite aerial facade / antenne façade
trampoline jacuzzi hottub / trampoline jacuzzi piscine > installation alterations works / installation aménagement
shed conservatory veranda pergola / cabanon véranda pergola abri > construction planning permit urbanism / urbanisme déclaration construction
neighbours downstairs upstairs / voisins dessus dessous > residents occupants / riverains résidents occupants
windows glass / vitres carreaux > window glazing / vitrerie vitrage
hallway landing stairwell / couloir palier cage > communal common / communes
lawnmower drill hammering diy / perceuse tondeuse marteau bricoler > noise works diy / bruyants travaux bricolage
music stereo drums / musique sono > noise quiet / bruit sonores tapage
flood leaking burst / inondé fuite > water damage escape / dégât eaux sinistre
handrail ramp / rampe > accessibility / accessibilité
bulb / ampoule > tenant consumables / locative
moving removal lorry / déménagement camion > lift reservation / ascenseur réservation
applepay googlepay paypal klarna venmo bitcoin crypto / lydia paypal bitcoin > payment methods card accepted / paiement moyens cartes acceptés
contactless tap / contact > card terminal / bancaire
monogram initials engrave / graver initiales > personalisation engraving custom / personnalisation gravure
tradein / reprise > takeback exchange / reprise rachat
fit tight loose / serré étroit > size fitting / taille coupe
wrapped / emballer paquet > wrapping gift / emballage cadeau
swallowed stuck / avalé coincé > retained / capturée
clearance sales / soldes > reduced promotion / démarque remise
ugly dislike hate / moche plaît > withdrawal return change / rétractation retour
missing incomplete / manque incomplet > missing shortage incomplete / manquant manque incomplet
melted squashed crushed / écrasé fondu > damaged transport / avarie endommagé
shelf keep fridge / garder frigo > storage shelf refrigerated store / conservation réfrigéré dlc
rotten mouldy / pourri moisi > expired unfit / périmé impropre avarié
homegrown farm / ferme > origin producer local / origine producteur provenance
celiac / coeliaque > gluten / gluten
dairy lactose / lactose > milk / lait
pork / porc > meat halal / viande
spicy / piquant épicé > chilli spice / piment épices
payoff > repay repayment settle early redemption / remboursement anticipé
withdraw > withdrawal / retrait
overdrawn broke / rouge > overdraft / découvert
bounced / rejeté > insufficient / provision
inherit heirs / hériter héritier > beneficiary estate nominee succession / bénéficiaire succession
premium / cotiser > contribution / cotisation
spectacles contacts / lunettes lentilles > optical frames vision / optique monture
crown braces filling denture / couronne appareil plombage dentier > dental orthodontics prosthesis / dentaire orthodontie prothèse
physio osteopath chiropractor / kiné ostéo ostéopathe > physiotherapy therapies alternative / kinésithérapie ostéopathie médecines douces
shrink therapist counselling / psy psychologue > psychologist counselling mental / psychologue psychologie
hearingaid / audition sourd > hearing / audiologie auditif audioprothèse
deduct writeoff / déduire défiscaliser > tax deductible relief / fiscal déductible réduction
fundraise / cagnotte quête > donation fundraising / collecte dons
bills / factures > utilities charges / charges
scrounge benefits dole / allocs > allowance benefit / allocation prestation
bloodtest / analyse > blood sample laboratory / prélèvement sanguin laboratoire bilan
xray mri ultrasound / radio irm écho échographie > imaging radiology scan / imagerie radiologie
hungry eat breakfast / manger boire > fasting nil / jeun
eyetest / vue > sight eyesight vision examination / vue acuité réfraction
blurry blind eyes / flou yeux > vision eyesight / vision vue
childbirth labour / accoucher > birth maternity / naissance maternité
throwup queasy / barf > nausea vomiting / nausée vomissement
itchy spots pimples / boutons plaques > rash skin eczema / éruption cutanée peau
refill repeat / renouveler > renewal prescription / renouvellement ordonnance
smoker quit / clope > tobacco / tabac
slim overweight fat / maigrir gros > weight diet nutrition obesity / poids nutrition obésité
heartattack / infarctus > cardiac heart emergency / cardiaque urgence
trip slip / glisser > fall injury / chute
sleepy insomnia / insomnie > sleep / sommeil
stressed anxious panic sad depressed / angoissé déprimé triste > psychological mental counselling anxiety / psychologique psychologue anxiété
overnight / nuit > inpatient / hospitalisation
stay / rester > duration / séjour
relatives family / famille > visiting visitors / visites visiteurs
shave makeup nail perfume / maquillage vernis parfum > cosmetics nails / cosmétiques ongles
needle injection / aiguille > puncture injection needle / ponction injection aiguille
tattoo piercing / tatouage piercing > tattoo / tatouage
period / règles > menstruation / menstruation
germs dirty / microbes > hygiene disinfection / hygiène désinfection
wash hands / laver mains > hygiene handwashing / hygiène
cremated ashes / cendres incinéré > cremation urn ashes / crémation urne
grave headstone / pierre > burial plot concession monument / concession sépulture monument
flowers wreath / fleurs > floral tributes / floral gerbe couronne
skiving truant skip / sécher zapper > attendance absence compulsory / assiduité présence
extension extra / rallonge > extension deadline / prolongation délai
lecturer prof / prof > teacher faculty / enseignant
dorm digs halls / cité dortoir > residence accommodation / résidence logement internat
erasmus abroad / erasmus > mobility exchange / mobilité échange
passmark / moyenne valider > pass mark grade minimum / moyenne note validation
reportcard / bulletin > results evaluation / évaluation résultats
potty / pot couches > toilet nappies / propreté
breastfed breastfeed / allaiter sein > milk breastfeeding / lait maternel allaitement
babysit mind / garder > childcare / garde
wipes nappies cream / lingettes crème couches > provided supplies trousseau / fournir trousseau
nits itching / poux > lice treatment / poux
lateness fetch / chercher > collection late closing / dépassement retard fermeture
/ code > / théorique
manual automatic gears / boîte > transmission gearbox / boîte vitesses
nerves scared afraid / peur trac > anxious / appréhension
scores sheet / partition > score music / partition
yoga pilates zumba spinning / yoga pilates zumba > class fitness / cours fitness
treadmill weights dumbbells / muscu haltères > fitness gym equipment / musculation appareils
rusty refresher / remise > refresher / remise perfectionnement
lend share / prêter partager > transferable personal nominative / cessible nominatif nominative personnel
bathe dip paddle / baigner tremper > swimming bathing / baignade
lifejacket / gilet > buoyancy flotation / flottabilité sauvetage
/ équipage > staff / personnel
boat berth / bateau > mooring / amarrage
hookup plug electricity / branchement > electric pitch amps / électrique ampères
caravan tent van / caravane tente van > pitch / emplacement
curfew lights / lumières > quiet night silence / silence calme
swimmingcap / bonnet > cap / bonnet
hat riding / bombe > helmet / casque
selfie film drone / selfie filmer drone > photography photographs recording / photographie prises enregistrement
/ portable sonner > silent devices / silencieux appareils
snacks drinks popcorn / boissons popcorn > food refreshments / consommation restauration nourriture
sitting / asseoir assis > seating / places sièges
shout / crier > noise / bruit
kindle ereader ebook / liseuse > digital electronic / numérique
torn ripped ruined / déchiré abîmé > damaged replacement / détérioré remplacement
handluggage carryon / cabine > cabin baggage / cabine bagage
touristtax / séjour > tourist / séjour taxe
kiss dropoff / déposer > forecourt dropoff / dépose minute
layover connecting / escale > connection transfer / correspondance
delayed cancelled / retardé annulé > disruption compensation / perturbation indemnisation
wheelchair > assistance prm / assistance
pray mosque / prier > prayer chapel worship / recueillement prière culte
shampoo soap toiletries / shampoing savon > toiletries / toilette accueil
cot crib / berceau > cot baby / lit bébé
aircon fan / clim ventilo > air conditioning / climatisation
early / tôt > earlier / anticipée
pushchair buggy / poussette > folded / pliée
surfboard skis golf / surf ski golf > oversized sports special / spécial sport hors
laptop liquids knife scissors / liquides couteau ciseaux > prohibited security dangerous / interdits sûreté dangereux
coins change / monnaie appoint > change exact / appoint monnaie
courtesycar / prêt > courtesy replacement loan / courtoisie remplacement prêt
refuel refill > fuel / carburant
tow stranded / remorquer > breakdown recovery assistance / dépannage remorquage assistance
scratch dent bump / rayure accrochage > report excess / dommage constat franchise
speeding flashed camera / flashé radar > fine offence penalty / amende infraction contravention
drunk / bu alcool > alcohol influence / alcool alcoolémie
dirty / sale > / nettoyage
vote / voter > electoral register polling / électorale bureau
birth baby / naissance bébé > registry registration / état civil déclaration
died death / décès mort > registry certificate / acte état civil
marry / marier > registry banns / civil publication bans
/ construire agrandir > planning permit / urbanisme
pothole hole / trou > roads highways / voirie
streetlight lamppost / lampadaire réverbère > lighting / éclairage
cupboard > bulky / encombrants
grass clippings / feuilles gazon herbe > green garden / verts végétaux
jars bottles / bocaux bouteilles > glass / verre
tins cans cartons / canettes boîtes briques > packaging recyclable / emballages tri
peelings leftovers scraps / épluchures > compost food organic biowaste / biodéchets compost organiques
thinner solvent pesticide bleach paint / solvant pesticide peinture javel > hazardous chemical special / dangereux chimiques spéciaux
bulbs batteries computer / ampoules piles ordi > electronic electrical weee / électroniques deee
rubble bricks concrete tiles / gravats briques carrelage > rubble inert construction / gravats inertes
poo poop mess / crotte caca > fouling faeces / déjections
stray lost / errant > pound / fourrière
fireworks firecracker / pétard artifice > fireworks / artifice
stall / étal > market traders / marché
qualify eligible entitled / droit éligible > eligibility criteria conditions / conditions critères éligibilité bénéficiaires
behalf > proxy authorisation mandate / procuration mandat pouvoir
show / montrer > presented produce proof / présenter présentation
fillin / remplir > completed form / formulaire complété
english french german spanish arabic / anglais français allemand espagnol arabe > language / langue
parent mother / aidant parent > caregiver dependant / aidant proche
rival competitor / concurrent > competition compete / concurrence
bike bus train / vélo transport navigo > mobility / mobilité
screen chair desk monitor / écran chaise souris > equipment hardware furniture / matériel équipement
unpaidleave > unpaid / solde
dresscode wear / habiller > clothing / vestimentaire tenue
swearing rude / insulter impoli > conduct respectful behaviour / comportement respect courtoisie
facebook instagram tiktok whatsapp twitter linkedin / facebook instagram tiktok whatsapp > social media networks / réseaux sociaux
press journalist tv / journaliste presse > media press communication / médias presse communication
gift bribe / cadeau > gifts corruption bribery / cadeaux corruption
promise / promettre > guarantee / garantir engagement
apology apologise sorry / excuses > goodwill gesture apology / geste excuses
usb stick / usb > removable media / amovible support
slow laggy sluggish / lent rame > performance speed latency / performance lenteur
sell / vendre > third disclose shared / tiers communiquées cédées
spy track monitor / espionner surveiller fliquer > monitoring surveillance tracking / surveillance contrôle géolocalisation
pal > referral / parrainage
wait / attendre > processing turnaround lead / traitement délai
human / humain > contact advisor customer service / conseiller contact clientèle
robot bot / robot > automated assistant artificial / automatique artificielle
charity ngo nonprofit / asso ong > nonprofit charities / associations associatif
alone unaccompanied / seul > unaccompanied accompanied supervised / accompagné seul
supervise watch / surveiller > supervised supervision / encadrement surveillance
qualified / diplômé formé > certified qualification qualified / diplômés qualification habilité
hurry quickly / vite pressé > express urgent / urgence express
ruined spoilt / gâché > damaged / détérioré
fun / amuser > leisure entertainment activities / loisirs animations
hang chill relax / détendre > lounge rest / détente salon
hungry / faim > food meals catering / restauration repas
lonely meet people / rencontrer > social activities / activités convivial
pee / pipi > toilet / toilettes
lads hen stag / enterrement > groups parties / groupes
drone / drone > flying aircraft / survol
nude naked / nu > swimwear clothing / maillot tenue
price / prix > / barème grille
late / retard > latecomers / retardataires
venue > / lieu salle
map > / plan
dashboard > / tableau bord
/ embarquement > boarding
wear / habiller > / vestimentaire
fly dump / décharge dépotoir > dumping tipping / dépôt sauvage
burst > puncture / crevaison
recital / gala > concert audition / audition représentation
insured client / assuré client > policyholder / souscripteur titulaire
apply applying / postuler > applicant / postulant
live / habiter vivre > reside residence occupant resident domicile address / résider résidence occupant domicile
vouch cosigner / garant caution > guarantor / garant caution cautionnaire
rules / règles > bylaws statutes / statuts
tip / pourboire > service / service
meal travel hotel food / repas voyage hôtel > subsistence diem / mission restauration
take away removed / enlever > revoked withdrawn / révoqué retiré
canteen / cantine > refectory / réfectoire restauration
lobby hall entrance / hall entrée > foyer / vestibule
gloves goggles helmet mask / gants lunettes casque masque > ppe protective / epi protection
misbehave behave badly / comporter > misconduct behaviour / comportement
nearby close / côté près > vicinity proximity / proximité alentours
buy / acheter > procure acquire / acquérir acquisition
correct / corriger > rectify rectification / rectifier rectification
invalid / invalide > void null / nul nulle caduc
alight / descendre > disembark / débarquement descente
blind / aveugle > impaired sight / déficient visuel
deaf / sourd > impaired / déficient auditif
twice / deux > biannual / semestriel
move / habiter > domicile address residence / domicile résidence
born > nationality / nationalité
wait list / attendre > waitlist / attente
ghost vanish closes bankrupt / disparaît coule > liquidation insolvency dissolution / liquidation dissolution
wind / fermer > dissolution / dissolution
merge / fusionner > merger / fusion
/ chef > / direction
vote / voter > resolution poll / résolution
enough members / assez > quorum / quorum
represent / représenter > proxy / procuration mandataire
interest benefit personal / intérêt perso > conflict / conflit
gamble bet / parier > gambling / jeux
ivf fertility / fiv pma > treatment assisted reproduction / pma assistée
miscarriage / couche > miscarriage bereavement / interruption grossesse
custody / garde > parental / alternée parentale
homework / devoirs > study supervised / étude soutien
tutor struggling / difficulté > support tutoring / soutien accompagnement
dyslexia dyslexic adhd autism / dyslexie dyslexique autisme tdah > special needs accommodations adjustments / aménagement besoins particuliers
extra time / tiers > accommodations adjustments / aménagement
lefthanded / gaucher > lefthanded / gaucher
vegetarian vegan / végétarien > / alimentaire
cramped narrow tiny / étroit > width dimensions / largeur dimensions
huge enormous / énorme > oversized large / grande volumineux
spotless tidy / rangé > clean order / propre ordre
smelly stinks / puant > odour ventilation / odeur
dust / poussière > cleaning vacuum / dépoussiérage nettoyage
rusty rust / rouille > corrosion / corrosion oxydation
burnt / brûlé > burn fire / brûlure
frozen > frost / gel
power / jus > battery electricity / batterie courant
bright / lumineux > lighting brightness / éclairage luminosité
beep / bip > alarm sound signal / sonore alarme signal
hum buzzing rattle / ronronne vibre > noise vibration / bruit vibration
burning / fumée brûlé > fire emergency / incendie urgence
spin / tourne > rotation / rotation
tilt lean / pencher > inclination slope / inclinaison
reach > height / hauteur
ceiling / plafond > height clearance / hauteur
/ encaisser > payout payment / versement
owe > / restant
skint penniless / sou fauché > hardship support / secours aide
/ élever > childcare / enfant
refugee migrant undocumented / réfugié migrant > asylum residence status / asile séjour
nationality citizen / nationalité > citizenship / citoyenneté
crossborder / frontalier > border / frontalier
queue / queue > priority / prioritaire
skip jump / coupefile > priority fast / prioritaire
vip / vip > premium / premium
upgrade / surclasser > upgrade supplement / surclassement
window aisle / hublot couloir > seat / siège
toothache > dental emergency / dentaire
gums / gencive > dental / dentaire
wisdom / sagesse > extraction / extraction
freckles sunburn / coup > sun skin / solaire
paperless > electronic digital / dématérialisé électronique
envelope letter / lettre courrier > post / postale voie
registered / recommandé > recorded / accusé réception
stamp / timbre > postage franking / affranchissement
fax / fax > / télécopie
typo misspelt / coquille > correction / rectification erratum
logo / logo > brand identity / charte marque
tagline slogan / slogan > brand / marque
advert ads advertising / pub publicité > advertising marketing promotion / publicitaire communication
spam newsletters / pubs > marketing unsubscribe / prospection démarchage
sponsor / sponsor > partner patronage / mécénat partenariat
petition sign / pétition > petition signatures / pétition
march demo / manif > demonstration / manifestation
strike / grève > industrial / mouvement social
union / syndicat > representative / représentant
tease joke / blague vanne > conduct harassment / comportement propos
hug touch flirt / toucher draguer > harassment sexual consent / harcèlement sexuel consentement
racist sexist homophobic / raciste sexiste homophobe > discrimination / discrimination discriminatoire
headscarf veil turban cross / voile foulard croix > religious symbol neutrality / religieux neutralité laïcité
shave beard hair / barbe cheveux > grooming appearance / présentation apparence
sandals shorts vest / short débardeur > attire / tenue
music > headphones / casque
nap tired / sieste > break / pause
cry sad / pleurer > counselling support / soutien écoute
overworked swamped / débordé surchargé > workload / charge
putdown > euthanasia euthanise / euthanasie
`;
