// Owns words of the body, death, the household, the garden, goods and food, each with its translation. Data only; fields.ts describes the format
// of a line.

export const homePairs = `
arm / bras
leg / jambe
finger / doigt
chest / poitrine thorax
throat / gorge
neck / nuque
nose / nez
mouth / bouche
brain / cerveau
lung / poumon
kidney / rein
liver / foie
ankle / cheville
wrist / poignet
elbow / coude
hip / hanche
toe / orteil
spine / vertébrale
cancer tumour tumor / cancer tumeur
stroke / avc
rash / éruption
itch itchy / démangeaison démanger
bleed bleeding haemorrhage / saigner hémorragie
bruise / hématome
swelling swollen / gonflement enflé
sprain / entorse foulure
faint / évanouissement
sting stung / piqûre
midwife / sagefemme
paediatrician pediatrician / pédiatre
ointment / pommade
painkiller analgesic / antidouleur analgésique
sunscreen / solaire
hearingaid / audioprothèse
shortsighted myopic myopia / myope myopie
blurred blurry / flou
sideeffects adverse / indésirable
bloodpressure / tension artérielle
germ bacteria / microbe bactérie
crutch / béquille
stretcher / brancard civière
breastfeeding breastfeed / allaitement
weaning / sevrage
recovery recover / guérison rétablissement
relapse / rechute
stitches / suture
mask / masque
ashes / cendres
cremate cremation / incinérer crémation
gravestone headstone tombstone / stèle tombale
hearse / corbillard
embalming / thanatopraxie
undertaker mortician / funéraire
obituary / nécrologique
heir / héritier
legacy bequest bequeath / léguer
roommate flatmate housemate / colocataire
handrail railing banister / rampe
insulation insulated / isolation isolé
glazing / vitrage
flooring floorboards / parquet plancher
antenna aerial / antenne
skylight / lucarne
landing / palier
driveway / allée
shed / cabane abri
greenhouse / serre
plot / parcelle
evict eviction / expulsion expulser
dismantle disassemble / démonter démontage
demolish demolition / démolition démolir
wallpaper / tapisserie
bathtub / baignoire
dryer / séchoir
ironing / repassage
hairdryer / sèchecheveux
wardrobe / penderie
bookcase bookshelf / bibliothèque
stool / tabouret
armchair / fauteuil
cushion / coussin
bedding / literie
sheets / drap
candle / bougie
ladder stepladder / escabeau échelle
wheelbarrow / brouette
rake / râteau
spade shovel / pelle bêche
watering / arrosage arroser
greywater rainwater / pluviale
drought / sécheresse
earthquake / séisme
lightning / foudre
asbestos / amiante
rubble / gravats
polystyrene styrofoam / polystyrène
jar / bocal
bulky / encombrant
hazardous / dangereux
odour odor / odeur
pest / nuisible
weedkiller herbicide / désherbant herbicide
pesticide / pesticide phytosanitaire
chimney / ramonage
doormat / paillasson
peephole / judas
hook / crochet
firewood logs / bûche
organic / biologique bio
frozen / surgelé congelé
refurbished reconditioned / reconditionné
preorder / précommande
wrapping / emballage
engraving / gravure graver
customise customize personalise personalize bespoke / personnaliser personnalisation
tight / serré
loose / ample
sleeve / manche
waist / ceinture
heel / talon
underwear / sousvêtement
swimsuit swimwear / maillot
jumper sweater pullover / chandail
tie / cravate
sturdy durable robust / robuste solide
handmade handcrafted / artisanal
aisle / rayon
trader merchant / commerçant marchand
craftsman artisan / artisan
manufacturer maker / fabricant
manufacture / fabrication fabriquer
factory / usine
ripe / mûr
rotten spoiled / pourri avarié
slice / tranche
crust / croûte
pastry / pâtisserie viennoiserie
snack / collation
spice spicy / épice
herb / aromate
bean / haricot
lettuce salad / laitue salade
cabbage / chou
leek / poireau
pumpkin / citrouille courge
raspberry / framboise
blackcurrant / cassis
walnut / noix
hazelnut / noisette
candy sweets / bonbon
icecream / glace
yoghurt yogurt / yaourt
oats / avoine
wheat / blé
rye / seigle
barley / orge
veal / veau
duck / canard
tuna / thon
trout / truite
shrimp prawn / crevette
oyster / huître
mussel / moule
spirits liquor / spiritueux
vinegar / vinaigre
mustard / moutarde
`;
