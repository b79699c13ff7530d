// Owns things of daily life with the kind that documents name instead: animals, clothes, weather, holidays. Data only; fields.ts describes the
// format of a line.

export const daily = `
labrador poodle spaniel terrier greyhound puppy pup doggy / labrador caniche berger teckel chiot toutou > dog dogs pet animal / chien animal
kitten tabby moggy / chaton minou > cat pet animal / chat animal
hamster gerbil budgie parrot canary goldfish tortoise / hamster gerbille perruche perroquet canari tortue furet > pet animal rodent bird / animal rongeur oiseau nac
snake lizard gecko python iguana / serpent lézard gecko python iguane > reptile exotic pet animal / reptile exotique nac animal
hens chicken rooster duck goose sheep goat / poule coq canard oie mouton chèvre > poultry animal livestock / volaille animal
horse pony mare / cheval poney jument > horse animal / cheval équidé animal
mouse mice rat cockroach bedbug ant / souris rat cafard punaise fourmi > pest infestation vermin / nuisible dératisation désinsectisation
moped motorbike motorcycle vespa / mobylette moto vespa > motorcycle vehicle scooter / moto véhicule
campervan motorhome caravan rv / campingcar caravane fourgon > motorhome camper caravan vehicle / camping car caravane véhicule
jeep suv saloon hatchback estate / citadine berline break > car vehicle / voiture véhicule
trottinette scooter hoverboard monowheel / trottinette overboard gyroroue > scooter electric vehicle / trottinette engin électrique
frost ice icy snow hail / gel verglas neige grêle > frost ice snow weather winter / gel verglas neige intempéries hiver
thunder lightning storm gale hurricane / orage foudre tempête tonnerre > storm thunder weather / orage intempéries tempête
downpour shower drizzle wet / averse pluie bruine > rain weather / pluie intempéries
heatwave hot scorching / canicule chaleur > heat temperature degrees / chaleur température degrés canicule
christmas easter newyear goodfriday thanksgiving / noël pâques toussaint pentecôte ascension armistice assomption > holiday bank public closed / férié fermé
diarrhoea vomit vomiting nausea stomach tummy / diarrhée vomir vomi nausée gastro > stomach ill sick symptom infection / gastro malade symptôme infection
fever temperature flu covid cough / fièvre grippe covid toux > fever ill sick symptom infection / fièvre malade symptôme contagieux
chickenpox measles lice nits scarlet / varicelle rougeole poux scarlatine > contagious infection disease eviction / contagieux maladie éviction
nuts peanut hazelnut sesame shellfish lactose gluten / arachide noisette noix sésame crustacé lactose gluten > allergen allergy / allergène allergie
vegan vegetarian halal kosher / végétalien végétarien halal casher > diet vegetarian menu dietary / régime végétarien menu
beer cider vodka whisky champagne / bière vin cidre vodka whisky champagne > alcohol drink / alcool boisson
lemonade cola juice soda / limonade coca jus soda > drink beverage / boisson
biscuit cake cookie crisps chocolate / biscuit gâteau chips chocolat bonbon > food snack sweets / nourriture goûter gâteau aliment
sandwich pizza burger / sandwich pizza burger > food meal / repas nourriture
jeans shorts sandals hoodie skirt bermuda / jean short sandales sweat jupe bermuda > clothing dress dresscode shoes shorts / tenue vêtement short
trunks bikini swimsuit speedo / maillot bikini slip > swimwear swimming costume trunks / maillot bain tenue
earring necklace bracelet piercing / boucle collier bracelet piercing alliance > jewellery ring / bijou
spectacles specs lenses / binocles lentilles > glasses / lunettes
flippers snorkel armbands inflatable / palmes tuba brassards bouée > fins equipment inflatable / palmes matériel bouée
violin guitar piano drums trumpet saxophone / violon guitare piano batterie trompette saxophone > instrument music noise / instrument musique bruit
towel sheets duvet pillow blanket linen / serviette drap couette oreiller couverture > linen bedding / linge literie
armchair sofa couch wardrobe mattress / fauteuil canapé armoire matelas sommier > furniture bulky / meuble encombrant mobilier
fridge oven cooker dishwasher microwave / frigo congélateur four gazinière > appliance electrical / électroménager appareil
telly tv laptop tablet smartphone / télé ordi tablette portable > device electronic equipment / appareil électronique matériel
wallet purse handbag umbrella rucksack backpack / portefeuille sac parapluie cartable > belongings lost property bag luggage / effets objet perdu sac bagage
suitcase bag rucksack / valise sac > luggage baggage / bagage
handbag briefcase / sacoche mallette > bag luggage / sac bagage
ladder stairs steps / échelle marches > steps stairs access / marches escalier accès
petrol diesel gasoline / gazole sansplomb > fuel / carburant essence
hoover vacuum mop broom / aspirateur serpillière balai > cleaning / ménage nettoyage
axe chainsaw strimmer mower / tronçonneuse débroussailleuse tondeuse > tool equipment / outil matériel
lawn hedge weeds / pelouse haie gazon > garden green waste / jardin végétaux espaces
cot pram buggy pushchair stroller / poussette landau berceau > pushchair buggy child / poussette enfant
crutches wheelchair walker zimmer / béquilles fauteuil déambulateur > disabled accessible mobility lift ramp / handicap accessible mobilité pmr ascenseur rampe
nephew niece cousin uncle aunt / neveu nièce cousin oncle tante > family relative / famille proche
stepson stepdaughter stepchild / beaufils bellefille > child family / enfant famille
fiance husband wife spouse girlfriend boyfriend / fiancé mari femme épouse copine copain compagnon > partner spouse family / conjoint partenaire famille
plumber electrician carpenter builder roofer / plombier électricien menuisier maçon couvreur > tradesman contractor professional selfemployed / artisan entreprise professionnel
freelance selfemployed contractor / indépendant autoentrepreneur > selfemployed business professional / indépendant professionnel
toddler infant newborn / bambin nourrisson > baby child / bébé enfant
teen teenager youngster / ado adolescent > young child minor / jeune mineur
oap pensioner elderly / papi mamie personneâgée > senior concession / senior retraité
agm egm / > meeting assembly / assemblée
ag / ag > assembly meeting / assemblée
atm cashpoint / dab > cash machine withdrawal / distributeur retrait
vat / tva > tax / tva taxe
id / cni > identity passport card / identité carte passeport
nurse doctor gp physician / infirmier médecin docteur généraliste > medical doctor nurse / médical médecin santé
mortgage / hypothèque > loan home / prêt immobilier crédit
nest savings nestegg / épargne économies > savings saving / épargne
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const dailyPhrases = `
new year = newyear
good friday = goodfriday
self employed = selfemployed
auto entrepreneur = autoentrepreneur
sans plomb = sansplomb
beau fils = beaufils
belle fille = bellefille
cash point = cashpoint
`;
