// Owns what visitors ask of hotels, restaurants, events, museums, gyms, clubs and libraries, with the words of their rules. Data only; fields.ts
// describes the format of a line. Words without a space such as "getmyroom" stand for a phrase of askedPlacesPhrases below.

export const askedPlaces = `
getmyroom / avoirlaclé > checkin arrival keys / arrivée remise clés
stayabitlonger / partirplustard > late checkout departure extension / départ tardif prolongation
littleone / toutpetit > child children baby / enfant bébé
wifi internet online / wifi internet connecter > wifi wireless network password / wifi réseau
extrabed / litenplus > cot rollaway additional bed / appoint lit supplémentaire
quietroom / > courtyard rear garden quiet / cour jardin calme
pickmeup / venirmechercher > shuttle transfer station / navette transfert gare
mislaid / égaré > lost property found / trouvés perdus objets
cantgo / pasyaller > cancel cancellation absence missed transfer transferable resale refund / annulation revente cessible remboursement report
someoneelse / quelquunautre > transferable transfer nominative proxy resale named / cessible nominatif transfert revente procuration
video / filmer > recording recordings camera cameras filming / enregistrement captation caméra prise
picnic sandwiches / piquenique sandwich > food consumption picnic / nourriture consommation piquenique
lineup headliner / affiche > lineup programme artists / programmation artistes programme
autograph selfie / autographe dédicace > signing meet artist / dédicace rencontre
printed / imprimer > mobile electronic digital ticket pdf / électronique numérique billet dématérialisé
wheelchair walker / roulant > accessible disabled reduced mobility step / pmr handicap accessible accessibilité mobilité
hearing hardofhearing / malentendant > induction loop interpreter / boucle magnétique
draw sketch paint / dessiner croquis > sketching pencil drawing / croquis crayon
handle / manipuler > touching exhibits works / œuvres contact
schooltrip pupils / classe scolaires > school group groups booking excursion excursions / groupe sortie scolaire réservation
backpack bags suitcase / sacàdos valises > locker cloakroom luggage size / consigne vestiaire bagage
takeabreak onhold / fairepause > suspend suspended suspension freeze pause / suspension suspendu gel interruption
haveago / voirsiçameplaît > trial taster introductory free / essai découverte gratuit initiation
quietest busiest busy crowd / affluence monde > offpeak peak attendance capacity / creuses affluence fréquentation
barefoot flipflops heels / pieds talons claquettes > shoes footwear / chaussures chausson
sweaty shower wash / transpirer doucher > showers changing towel / douches vestiaires serviette
coach pt / coach coaching > personal trainer instructor training / coach personnalisé entraînement
helpout / bénévole > volunteer volunteers volunteering / bénévole bénévoles bénévolat
criminalrecord police / casierjudiciaire > background check disclosure dbs / casier extrait antécédents
chipin donate give / donner > donation donations donate gift / donner donateur
bouquin bouquins book novel / bouquin livre bd roman > document documents item items volume / document ouvrage livre
keeplonger / garderlivre > loan period renewal renew extension / prêt durée prolongation renouvellement emprunt
alreadyout / déjàsorti > reserve reservation reserved borrowed loan / réserver réservation emprunté
/ ordi ordis ordinateur > / postes informatiques informatique
photocopy xerox photocopies / photocopier photocopies photocopie > copy copies reproduction print printing / copie reproduction reproductions impression
spilt ripped scribbled / renversé gribouillé > damaged damage replacement / détérioré dégradation remplacement
manyofus / nombreux > group groups private hire capacity / groupe groupes privatisation
ownbottle ownwine / apporterbouteille > corkage / bouchon
outside terrace / dehors terrasse > terrace outdoor garden / terrasse extérieur
takeout takeaway doggybag / emporter doggybag > takeaway collection withdrawal withdrawals / emporter
deaf sign / signes > interpreter signed subtitled / signes surtitré
grill fireplace / feu grillades > barbecue fire / barbecue feu
tidy hoover / ménage > cleaning final end / ménage fin forfait
bedding / draps serviettes > linen bedding towels / linge literie draps
breakages smashed / vaisselle cassé > breakage deposit damage inventory / casse caution inventaire
neighbours loud party / fête bruyant > noise quiet nuisance event / bruit nuisance tapage fête
plugin ev tesla / recharger électrique tesla > charging charger station electric / borne recharge
desk seat nomad / bureau nomade > workstation desk hot / poste bureau nomade
mailbox / courrier > domiciliation registered mail / domiciliation postale courrier
booth / cabine appeler > phone booth quiet / cabine bulle
strollers prams / poussettes > pushchair pushchairs buggy / poussette
vegan veggie celiac / végé vegan coeliaque > vegetarian dietary gluten / végétarien régime gluten
sauna steam / sauna hammam > sauna spa wellness / bienêtre spa
swimcap trunks / maillot > swimwear cap costume / bain bonnet maillot
drownings / surveillé > lifeguard supervised / maîtrenageur surveillance
storm thunder / pleut orage > weather storm storms postponed / intempéries report météo
/ rendrechambre > checkout departure vacate / départ libération libérée
breakfast / déj > buffet
valuables / bijoux > safe locker lockers / coffre casier
injured / blessé > medical certificate / médical certificat
longer / longtemps > renewal renew extension extend / prolongation prolonger renouvellement
suitcase suitcases / valise valises > storage luggage / bagagerie consigne bagages
belongings / affaires > lockers locker storage cloakroom / casier consigne bagagerie vestiaire effets
pool / piscine > bathing / baignade bassin
overslept snooze / dormir > checkout late / départ
/ gelé froid > heating blankets / chauffage couvertures
sunbed / transat > sunbeds loungers / transats
kettle tea iron / bouilloire fer > amenities kettle / bouilloire équipements
hairdryer / sèchecheveux > hairdryer amenities / sèche équipements
stag hen birthday / évg anniversaire > groups events private / groupes événements privatisation
highchair toddler / chaisehaute > highchair children / haute enfant
leftovers doggy / > takeaway container / emporter contenant
splitbill separately / séparément > split bill payment / addition séparée paiement
dietary allergic / allergique > dietary allergen allergens / régime allergènes
skip / queue > priority fast queue / coupe file prioritaire
called / > postponed refund / report remboursement
resale / revendre > resale exchange platform / revente bourse
photos snaps flash / photos flash > photography flash tripod / photographie flash trépied
audioguide headset / écouteurs > audio guide headset / audioguide
guide explains tour / guide expliquer > guided tour tours / guidée guidées visite
workshop / atelier > workshop family activities / atelier famille
shop souvenir / souvenir > shop gift / boutique
helpers hands / > volunteer volunteers / bénévole bénévoles
agm / ag > assembly general members quorum / assemblée générale quorum
leaveclub / quitterleclub > resignation membership termination / démission adhésion résiliation radiation
fee dues sub subs / coti > membership fee subscription / cotisation adhésion
rackets / raquettes louer > rental hire equipment / location matériel
pt class reserve / cours réserver > booking class slot / réservation créneau cours
waitlist / complet > waiting full capacity / attente complet
/ dos > medical certificate contraindication / médical contreindication certificat
forgotten padlock / cadenas > padlock locker opened / cadenas casier
bags / sacs > luggage storage / bagagerie consigne bagages
pictures pics / > photography photographs
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const askedPlacesPhrases = `
into my room = getmyroom
into our room = getmyroom
into the room = getmyroom
get the key = getmyroom
get the keys = getmyroom
get our keys = getmyroom
avoir les clés = avoirlacle
avoir la clé = avoirlacle
récupérer les clés = avoirlacle
prendre la chambre = avoirlacle
leave later = stayabitlonger
bit later = stayabitlonger
stay longer = stayabitlonger
sleep in = stayabitlonger
partir plus tard = partirplustard
rester plus longtemps = partirplustard
grasse matinée = partirplustard
little one = littleone
little ones = littleone
tout petit = toutpetit
tout petits = toutpetit
extra bed = extrabed
lit en plus = litenplus
lit supplémentaire = litenplus
quiet room = quietroom
pick me up = pickmeup
pick us up = pickmeup
venir me chercher = venirmechercher
venir nous chercher = venirmechercher
can t attend = cantgo
plus y aller = pasyaller
pas y aller = pasyaller
plus venir = pasyaller
someone else = someoneelse
somebody else = someoneelse
quelqu un d = quelquunautre
pique nique = piquenique
hard of hearing = hardofhearing
school trip = schooltrip
school class = schooltrip
sac à dos = sacados
take a break = takeabreak
on hold = onhold
faire une pause = fairepause
mettre en pause = fairepause
have a go = haveago
try it first = haveago
voir si ça = voirsicameplait
flip flops = flipflops
help out = helpout
lend a hand = helpout
criminal record = criminalrecord
casier judiciaire = casierjudiciaire
chip in = chipin
keep it longer = keeplonger
keep them longer = keeplonger
have it longer = keeplonger
garder plus longtemps = garderlivre
le garder plus = garderlivre
already out = alreadyout
checked out = alreadyout
already borrowed = alreadyout
déjà sorti = dejasorti
déjà pris = dejasorti
déjà emprunté = dejasorti
lots of us = manyofus
many of us = manyofus
own wine = ownwine
own bottle = ownbottle
apporter une bouteille = apporterbouteille
apporter ma bouteille = apporterbouteille
apporter du vin = apporterbouteille
take away = takeaway
take out = takeout
doggy bag = doggybag
plug in = plugin
rendre la chambre = rendrechambre
libérer la chambre = rendrechambre
meat free = vegetarian
without meat = vegetarian
sans viande = vegetarien
freeze my membership = onhold
freeze my subscription = onhold
geler mon abonnement = fairepause
give my ticket = someoneelse
sell my ticket = someoneelse
pass my ticket = someoneelse
donner mon billet = quelquunautre
revendre mon billet = quelquunautre
donner ma place = quelquunautre
revendre ma place = quelquunautre
can t go = cantgo
police check = criminalrecord
police record = criminalrecord
split the bill = splitbill
pay separately = splitbill
chaise haute = chaisehaute
high chair = highchair
leave the club = leaveclub
quitter le club = quitterleclub
lie in = stayabitlonger
traîner au lit = partirplustard
rester au lit = partirplustard
come in with = comealong
come with me = comealong
venir avec moi = comealong
`;
