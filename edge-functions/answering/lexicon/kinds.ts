// Owns single things with their kind (an apple is a fruit), parts of the body with their medical field, and slang with the plain word. Data only;
// fields.ts describes the format of a line, and when a remote line is read.

export const kinds = `
apple pear banana orange grape strawberry raspberry cherry peach melon kiwi mango / pomme poire banane fraise framboise cerise abricot melon kiwi mangue > fruit / fruit
carrot onion potato tomato lettuce cabbage cucumber courgette leek spinach pepper / carotte oignon tomate laitue chou concombre courgette poireau épinard poivron > vegetable produce / légume
beef pork lamb veal ham bacon sausage steak chicken turkey / boeuf porc agneau veau jambon saucisse poulet dinde > meat / viande
salmon tuna cod trout prawn shrimp oyster mussel lobster crab / saumon thon cabillaud truite crevette huître homard crabe > fish seafood shellfish / poisson fruits crustacés
milk cheese butter yoghurt cream / lait fromage beurre yaourt crème > dairy lactose / laitier lactose
wheat rye barley oats bread pasta / blé seigle avoine pain pâtes > cereal gluten / céréale gluten
croissant brioche bun baguette / croissant brioche baguette > pastry bread bakery / viennoiserie pain boulangerie
coke pepsi fanta juice lemonade / coca pepsi jus limonade > drink soft beverage / boisson
tea coffee espresso / café expresso > drink hot beverage / boisson chaude
rose tulip lily daffodil orchid / rose tulipe lys jonquille orchidée > flower plant / fleur plante
oak pine birch willow / chêne pin bouleau saule sapin > tree / arbre
iron steel aluminium copper brass / fer acier aluminium cuivre laiton > metal scrap / métal ferraille
wool cotton silk linen polyester / laine coton soie lin polyester > fabric textile / tissu textile
dollar pounds francs yen / dollar livres francs > currency / devise monnaie
football rugby tennis basketball volleyball badminton handball hockey / foot rugby tennis basket volley badminton handball hockey > sport / sport sportif
karate judo boxing / karaté judo boxe > martial combat sport / arts combat sport
chair table desk bed shelf bookcase stool / chaise table étagère tabouret commode > furniture / meuble mobilier
kettle toaster iron vacuum blender mixer / bouilloire toaster aspirateur mixeur cafetière > appliance electrical / électroménager appareil
lego doll puzzle ball bike / lego poupée puzzle ballon > toy / jouet
trousers shirt skirt sweater jumper tshirt blouse underwear socks / pantalon chemise jupe pull tshirt chemisier chaussettes > clothes garment / vêtement habits
sandals slippers flipflops heels / bottes sandales tongs talons > shoes footwear / chaussure
bleach detergent ammonia / javel détergent ammoniaque > cleaning product chemical / produit entretien chimique
plates cups bowls forks knives / assiettes tasses verres bols fourchettes couteaux > crockery tableware cutlery / vaisselle couverts
pen paper stapler notebook envelope / stylo agrafeuse cahier enveloppe > stationery supplies / fournitures papeterie
wasp ant bee fly mosquito hornet / guêpe fourmi abeille mouche moustique frelon > insect pest / insecte nuisible
pigeon seagull crow / pigeon mouette corbeau > bird / oiseau
fox boar deer badger hedgehog / renard sanglier cerf blaireau hérisson > wildlife wild animal / sauvage faune animal
covid bronchitis angina / rhume covid bronchite angine > illness infection / maladie infection
windows mac macos linux iphone android ipad / windows mac macos linux iphone android ipad > operating system compatible device / exploitation système compatible appareil
chrome firefox safari edge / chrome firefox safari edge > browser / navigateur
ramadan eid diwali hanukkah yomkippur / ramadan aïd kippour > religious holiday / religieuse fête
bachelor master phd degree / licence master doctorat bac bts > degree diploma qualification / diplôme
chickens cows pigs sheep / poules vaches cochons moutons > livestock animals / élevage bétail
mother father brother sister grandmother / mère père frère soeur grandmère > family relative / famille proche
heart palpitations chest / coeur palpitations > cardiology cardiac cardiologist / cardiologie cardiaque cardiologue
skin spots mole eczema / peau boutons grain eczéma > dermatology dermatologist / dermatologie dermatologue
eye sight cataract / oeil yeux vue cataracte > ophthalmology ophthalmologist / ophtalmologie ophtalmologue ophtalmo
child children baby / enfant bébé > paediatrics paediatrician / pédiatrie pédiatrique pédiatre
pregnant pregnancy woman / enceinte grossesse > obstetrics gynaecology midwife maternity / obstétrique gynécologie sagefemme maternité
cancer tumour chemo / cancer tumeur chimio > oncology oncologist / oncologie oncologue
bone knee hip shoulder fracture / os genou hanche épaule fracture > orthopaedics / orthopédie orthopédique
brain headache migraine stroke / cerveau migraine avc > neurology neurologist / neurologie neurologue
depressed mental anxiety / dépression déprimé mental > psychiatry psychiatrist / psychiatrie psychiatre
elderly old aged / âgé vieux > geriatrics / gériatrie gériatrique
nose throat tonsils / oreille nez gorge amygdales > ent otolaryngology / orl
stomach belly gut liver / estomac ventre foie > gastroenterology digestive / gastroentérologie digestif
kidney dialysis / rein dialyse > nephrology renal / néphrologie rénal
lung breathing asthma / poumon asthme > pulmonology respiratory / pneumologie respiratoire
bladder prostate urine / vessie prostate urine > urology / urologie
joints arthritis back / articulations arthrose dos > rheumatology / rhumatologie
diabetes thyroid hormones / diabète thyroïde hormones > endocrinology / endocrinologie diabétologie
teeth braces crooked / appareil bagues > orthodontics orthodontist / orthodontie orthodontiste
speech stutter stammer / parler bégaiement bégayer > therapist / orthophoniste orthophonie
foot feet corns toenail / pied cors > podiatrist chiropodist / podologue pédicure
tap sink pipe toilet / robinet évier tuyau > plumbing / plomberie plombier
socket fuse switch wiring lights / prise fusible interrupteur lumière > electrical electrician electricity / électricité électricien électrique
tiles roof gutter slate / tuile toit gouttière ardoise > roofing / toiture couverture
door keys / serrure clés > locksmith / serrurerie serrurier
tree hedge / arbre haie > pruning / élagage taille
street pavement road hole / rue trottoir route trou > roads highways / voirie
passport identity card / passeport carte > document / titre
solicitor notary / notaire > legal / juridique
visa / visa > immigration residence permit / immigration séjour titre
joint > smoking / tabac fumer
lego / lego > toy / jouet
skateboard rollerblades skates roller / skate rollers patins > wheeled / roulettes
kayak canoe paddleboard dinghy surf / kayak canoë paddle dériveur surf > watercraft boat nautical / embarcation nautique bateau
painting drawing sculpture pottery / peinture dessin sculpture poterie > art / arts plastiques artistique
flute / flûte > instrument / instrument
judge trial / juge > court tribunal / tribunal
aspirin paracetamol ibuprofen doliprane / aspirine paracétamol ibuprofène doliprane > painkiller medicine / antidouleur médicament
insulin inhaler epipen ventolin / insuline inhalateur ventoline > medicine medication treatment / médicament traitement
perfume shampoo deodorant toothpaste / parfum shampoing déodorant dentifrice > cosmetics toiletries / cosmétique hygiène
hammer saw screwdriver drill wrench spanner / marteau scie tournevis perceuse clé > tool / outil outillage
kitten puppy lamb foal / chaton poulain > young animal / jeune animal
stepmother stepfather / beaumère beaupère > parent / parent
lawyer solicitor barrister / avocat > legal counsel / conseil juridique
prime minister king president / ministre roi > government / gouvernement
tram metro bus subway / tram métro bus > transport / transport
thief burglar / voleur cambrioleur > theft burglary / vol cambriolage
hostel motel inn airbnb / auberge gîte > accommodation lodging / hébergement logement
pizza burger pasta salad soup / pizza burger pâtes salade soupe > dish food meal / plat repas
peanut almond walnut cashew pistachio / cacahuète amande noix cajou pistache > nuts allergen / coque allergène
soya egg mustard celery lupin / soja oeuf moutarde céleri lupin > allergen / allergène
whisky gin rum vodka tequila / whisky gin rhum vodka pastis > spirits alcohol / spiritueux alcool
cigar pipe ecigarette / cigare pipe > smoking tobacco / tabac fumer
bracelet watch / bracelet montre bague > jewellery valuables / bijoux valeur
cash jewellery laptop passport / espèces bijoux ordinateur passeport > valuables / valeur précieux
oxygen gas petrol lighter fireworks / oxygène gaz essence briquet > dangerous flammable hazardous / dangereux inflammable
sofa mattress fridge piano wardrobe / canapé matelas frigo piano armoire > bulky / encombrant volumineux
toner ink cartridge paper / encre cartouche > consumables supplies / consommables fournitures
screen keyboard mouse webcam headset / écran clavier souris webcam casque > peripherals equipment / périphérique équipement matériel
facebook instagram linkedin tiktok / facebook instagram linkedin tiktok > social / sociaux
zoom teams skype meet / zoom teams skype > video videoconference remote / visioconférence visio
gmail outlook / gmail outlook > email mailbox / messagerie courriel
word excel powerpoint / word excel powerpoint > office document file / bureautique document fichier
dropbox onedrive icloud / dropbox onedrive > cloud storage / nuage stockage
amex maestro / amex > card / carte bancaire
`;

/** Slang with the plain word. */
export const slang = `
tenner fiver quid grand / balles > pounds euros price / euros prix
brolly / pépin > umbrella lost property / parapluie objets
cuppa brew / kawa caoua > coffee tea drinks / café boissons
brekkie / dèj > breakfast meal / déjeuner repas
nan nana grandad hubby missus / pépé > family relative spouse / famille conjoint proche
ciggies fags vape / clope sèche taf > smoking tobacco / fumer tabac fumeurs
shades sunnies > glasses / lunettes
prezzie pressie > gift present / cadeau
wonky crooked bent / tordu bancal > bent deformed defective / déformé défectueux
grubby manky filthy muddy / crade boueux dégueulasse > dirty cleaning / sale nettoyage propre
soggy damp drenched soaked / trempé mouillé > wet moisture water / humide humidité eau
faff hassle nightmare / galère prise > problem difficulty / difficulté problème
natter chat gossip / papoter bavarder discuter > talk conversation quiet / parler conversation bavardage
snooze doze kip / roupiller somme > sleep rest / dormir repos
banger / tire > vehicle / voiture véhicule
gaff pad / baraque piaule > house home accommodation / maison logement
/ poireauter patienter > waiting delay / attente délai
/ louper foirer > miss fail / manquer échec absence
flip freak / flipper paniquer > anxiety fear / peur anxiété
yell / gueuler brailler > shouting noise / crier bruit
/ refiler > give provide lend / donner prêter fournir
/ dépanner > help lend assistance / aide prêt assistance
sort / arranger débrouiller > arrangement agreement plan / accord arrangement échelonnement
catchup makeup / rattraper > replacement reschedule missed / rattrapage remplacement report
/ caler > appointment schedule / rendez planning
crash / squatter > stay overnight / hébergement nuitée
showup / pointer > arrive arrival / arrivée présence
/ taxer > borrow charge / emprunter facturer
careful / gaffe > warning caution / attention précaution
mistaken mixup / trompé gouré > error mistake correction / erreur rectification
stray > lost found / perdu trouvé
clutter junk / bazar bordel foutoir > belongings clutter storage / encombrement affaires rangement
forms / paperasse > documents form administrative / documents formulaire administratif
gizmo / machin engin > device equipment / appareil équipement
nice / sympa chouette > pleasant / agréable
rubbish / nul pourri > poor quality defective / mauvaise qualité défectueux
noob / nul > beginner / débutant
clever / malin > intelligent / intelligent
hefty / costaud > strong heavy / solide lourd
ancient / vieillot > old age / ancien vétuste
stingy broke / radin fauché > cheap budget reduced / économique tarif réduit
posh / chic bourge > luxury premium / luxe premium
/ dare > urgent express / urgent express
dawdle / tarder > delay late / délai retard
jam / bouchon embouteillage > traffic delay / circulation retard
camera / radar > speed fine / vitesse amende
/ keuf > police / police gendarmerie
/ proprio > owner
flatmate / coloc > shared / colocation
brat / marmot > child children / enfant
teen / ado > adolescent / adolescent
oldies / ancêtres aînés > senior elderly / senior personnes âgées
/ poto > friend guest / ami invité
quack > doctor / médecin
headmaster / dirlo > headteacher director / directeur
/ instit maître maîtresse > teacher / enseignant professeur
school / bahut > / établissement
/ boîte > company employer / entreprise société
workmates / collègues > / salariés équipe
gaffer / chef > / hiérarchie
evening nightly / soirée > evening night / soir nuit
hols / vacances > holidays closure / congés fermeture
summertime / estival > summer july august / juillet août
wintertime / hivernal > winter / hiver
xmas / noël > closure / fermeture
backtoschool / rentrée > september term start / septembre rentrée
bargain > offer / offre promotion
ripoff / arnaquer > fraud overcharge / fraude litige
reimburse > credit voucher / bon
/ troc > exchange / échange
try / essayage > fitting trial / essai
/ brader > sale reduced / vente réduit
driver > carrier delivery / transporteur livraison
pickup / relais > collection point / point retrait
breakage > damage / dommage casse
breakable / cassant > fragile / fragile
leaflet > instructions manual / notice manuel
plug > / chargeur
button / bouton > press button / appuyer touche
flashing / clignote > indicator / diode
/ schlingue odeurs > odour smell / odeur
/ fume > fire / fumée incendie
shortcircuit / courtcircuit > electrical fault / électrique défaut
clogged / bouché > drain / bouchon évacuation débouchage
/ chauffe > temperature / température
/ loupiote > lighting lamp / éclairage lampe
/ trousseau > key / clé
/ loquet > lock / serrure verrouillage
lift / ascenseur > / élévateur
parking carpark > parking space / stationnement place
/ trotinette > scooter
/ zinc > flight / vol avion
boat / rafiot > boat vessel / bateau navire
case / valoche > luggage / bagage
customs / douane > declaration / déclaration
/ fisc > tax / fiscal impôt
dole / chômdu > unemployment / chômage emploi
walkout > strike / grève
protest / manif > demonstration / manifestation
/ syndiqué > union / syndicat
hassled > harassment / harcèlement
/ rtt > leave
/ noce > wedding marriage / mariage
/ macchabée > death / décès
burial > funeral / obsèques
/ testament > legacy / legs succession
`;
