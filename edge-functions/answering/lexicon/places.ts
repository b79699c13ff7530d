// Owns the everyday words of buildings, rent, repairs, opening hours, time, transport and vehicles. Data only; fields.ts describes the
// format of a line.

export const places = `
flat apartment pad place digs / appart appartement logement piaule > apartment flat dwelling premises accommodation / appartement logement
house home / maison domicile logement
rent / loyer
lease tenancy / bail
moveout moving / déménager déménagement > departure end lease termination leave / départ fin sortie résiliation congé
movein / emménager emménagement
utilities charges / charges
loo toilet toilets bathroom restroom bog wc / toilettes wc sanitaires
shower showers wash / douche douches laver
kitchen / cuisine
bedroom room / chambre
lounge / salon séjour
cellar basement / cave soussol
attic loft / grenier combles
roof / toit toiture
wall walls / mur paroi
floor storey / étage
stairs staircase steps / escalier marches
lift elevator / ascenseur
balcony terrace patio / balcon terrasse
garden yard / jardin
garage / garage box
window / fenêtre vitre
lightbulb bulb lamp light lights / ampoule lampe lumière éclairage
heating radiator heater / chauffage radiateur chaudière
cold freezing chilly / froid froide caille > heating temperature / chauffage température
hot warm boiling / chaud chaude > temperature cooling air / température climatisation
aircon / climatisation clim
leak leaking dripping flood flooding / fuite fuir inondation dégât eaux
blocked clogged / bouché
mould mold damp / moisissure humidité
keys key / clé clef clés
lockedout / enfermé dehors serrurier > key keys locksmith / clé serrurier
doorbell bell intercom / sonnette interphone
letterbox mailbox / boîte lettres courrier
rubbish trash garbage litter bin bins waste dump / poubelle poubelles ordures déchets benne > waste refuse collection container bins / déchets ordures collecte bac conteneur
recycling recycle / tri recyclage recycler
noise noisy loud racket / bruit bruyant boucan tapage nuisance > noise quiet silence / bruit calme silence tranquillité nuisances
quiet silence / calme silence
party parties / fête soirée
smoke smoking fag cigarette cigarettes cig vape / fumer clope clopes cigarette vapoter > smoking smoke smokers / fumer fumeur tabac
pets pet hamster / animal > pets animals animal dogs / animaux animal domestique
paint painting decorate / peindre peinture décorer > alterations decoration / travaux aménagement
builder building works refurb refurbishment renovation / travaux chantier rénovation
furniture / meuble mobilier
furnished / meublé
bed beds mattress / lit matelas
fridge refrigerator / frigo réfrigérateur
freezer / congélateur
oven stove cooker hob / cuisinière plaque réchaud
laundry / linge buanderie lessive
dishwasher / vaisselle
microwave / microondes
locker cloakroom / consigne casier vestiaire
luggage baggage bags suitcase bag / bagage bagages valise sac > luggage locker left / consigne bagages
parking park / parking garer stationner stationnement
address / adresse
whereabouts / lieu emplacement situé
directions getthere / venir accès itinéraire > directions access getting route / accès rendre itinéraire
entrance entry gate / entrée portail
exit wayout / sortie
opening open opens / ouvrir ouvert ouverture
close closed closes shut shuts / fermer fermé fermeture > close closed shut open opening / fermer fermé fermeture ouvert ouverture
hours / horaires heures
reception lobby / accueil hall
canteen / cantine
meeting / réunion
branch site / agence succursale site
town city / ville commune
townhall council municipality / mairie commune municipal hôtel
abroad overseas / étranger > country abroad outside border / étranger frontière pays
border / frontière
accessible accessibility wheelchair disabled disability / handicap handicapé fauteuil pmr accessible > wheelchair accessible reduced mobility disability disabled lift ramp / pmr mobilité réduite fauteuil accessible handicap
blind / aveugle malvoyant
deaf / sourd malentendant
pushchair stroller pram buggy / poussette landau
today / aujourd
tomorrow / demain
morning / matin
midday noon / midi
afternoon / aprem
evening tonight / soir soirée
midnight / minuit
day daily / jour journée quotidien
week weekly / semaine hebdomadaire hebdo
fortnight fortnightly / quinzaine quinze
month monthly / mois mensuel
year yearly annual annually / année annuel
quarter quarterly / trimestre trimestriel
easter / pâques
deadline cutoff latest / échéance délai limite dernier > deadline latest / limite jusque date
ahead advance beforehand early notice / avance préalable tôt
often / souvent fréquence > weekly monthly yearly / annuel mensuel
soon quickly fast asap / vite rapidement bientôt > delay / délai
wait waiting queue / attendre attente
postpone postponed putoff delay reschedule / reporter décaler repousser reporté
bus coach / bus autocar
shuttle minibus / navette
train rail railway / train sncf ferroviaire
station / gare
tram / tram tramway
metro subway underground tube / métro
plane flight fly flying airport / avion vol aéroport
taxi cab uber / taxi vtc
carpool carpooling / covoiturage
boat ferry ship / bateau ferry
car vehicle / voiture bagnole caisse véhicule auto
van minivan / camionnette fourgon utilitaire
truck lorry / camion
motorhome campervan > caravan vehicle / caravane véhicule
bike bicycle pushbike cycle / vélo bicyclette bécane biclou
ebike pedelec / vae > electric bicycle bike / électrique vélo
scooter moped motorbike motorcycle / scooter moto mobylette deux roues
electric ev / électrique
petrol gas fuel diesel fill / essence carburant plein gazole
charging recharge plug / recharger recharge borne charger
socket plug outlet / prise
range far empty / autonomie > range km distance / autonomie km
puncture tyre / crevaison pneu crevé > puncture punctures tyre / crevaison pneu
brakes brake / frein freins
brokendown breakdown / panne dépannage
crash accident bump prang / accident accrochage tôle > accident collision damage report / accident constat sinistre
speeding / vitesse excès
licence license / permis
drive driving driver / conduire conduite
passenger passengers / passager passagers
seatbelt belt / ceinture
booster / rehausseur
trailer / remorque
helmet helmets / casque casques
mileage kilometres / kilométrage kilomètres
toll / péage
motorway / autoroute
trip journey travel travelling / voyage déplacement trajet
sleep kip / dormir pioncer > accommodation overnight lodging camp dormitory / hébergement nuit logement camping dortoir
tent camp camping / tente camping camper
campfire bonfire barbecue bbq grill / feu barbecue bbq grillade > fire fires flame cooker open / feu flamme réchaud
weather rain raining pouring storm wet / pluie pleuvoir pleut orage météo intempérie > weather rain storm / météo pluie intempéries orage
snow / neige
heatwave / canicule chaleur
checkin / checkin > arrival arrive ready / arrivée arriver
checkout / checkout > departure leave leaving vacate vacated / départ quitter libérer
kilo kilos kg kilogram kilograms / kilo kilos kg kilogramme
english / anglais
french / français
german / allemand
spanish / espagnol
italian / italien
dutch / néerlandais
drink pint beer / boire verre bière > bar pub / bar buvette
brandnew unused / neuf neuve > new / neuf neuve
england scotland wales / angleterre écosse galles > uk britain / uk bretagne
`;

export const placesPhrases = `
move out = moveout
moving out = moveout
moved out = moveout
move in = movein
moving in = movein
moved in = movein
sous sol = soussol
air con = aircon
air conditioning = aircon
locked out = lockedout
letter box = letterbox
boite aux lettres = letterbox
get there = getthere
getting here = getthere
way out = wayout
town hall = townhall
put off = putoff
pushed back = putoff
camper van = campervan
camper vans = campervan
camping car = campervan
camping cars = campervan
mobile home = campervan
e bike = ebike
e bikes = ebike
flat tyre = puncture
flat tire = puncture
pneu crevé = puncture
pneu à plat = puncture
broken down = brokendown
break down = brokendown
seat belt = seatbelt
lost and found = lostproperty
lost property = lostproperty
objets trouvés = lostproperty
objets perdus = lostproperty
light bulb = lightbulb
cut off = cutoff
micro ondes = microwave
heat wave = heatwave
check in = checkin
checking in = checkin
check out = checkout
checking out = checkout
chez moi = home
à la maison = home
`;
