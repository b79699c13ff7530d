// Owns words of tools, crafts, food, farming, clothes and the household, each with its translation, for questions in another language than the
// documents. Data only; fields.ts describes the format of a line.

export const pairs = `
padlock / cadenas
hoist / palan
harness / harnais
boots / bottes chaussures
goggles / lunettes
ladder / échelle
scaffold scaffolding / échafaudage
crate / caisse
barrel / fût
bucket / seau
hose / tuyau
pipe / tuyau conduite
valve / vanne
tank / réservoir cuve
blade / lame
wheel / roue meule
nozzle / buse
lid / couvercle
screw / vis
bolt / boulon
hammer / marteau
sweep / balayer
scrub / frotter
bleach / javel
detergent / détergent lessive
sponge / éponge
cloth / chiffon
mop / serpillière
dust / poussière
rust / rouille
stain / tache
smoke / fumée
spark / étincelle
burn / brûlure
fuse / fusible
headlight / phare
mirror / miroir rétroviseur
anchor / ancre
sail / voile
knot / noeud
rudder / gouvernail
oar / rame
lifejacket / gilet
blanket / couverture
pillow / oreiller
tile / carrelage tuile
brick / brique
concrete / béton
plaster / plâtre
glue / colle
scissors / ciseaux
pencil / crayon
pen / stylo
notebook / cahier
binder / classeur
stapler / agrafeuse
scanner / scanner numériseur
ink / encre
spreadsheet / tableur
appendix annex / annexe
notary / notaire
chairman chairperson / président
carpenter joiner / menuisier charpentier
mason / maçon
painter / peintre
baker / boulanger
butcher / boucher
fishmonger / poissonnier
florist / fleuriste
hairdresser / coiffeur
pharmacist chemist / pharmacien
physiotherapist / kinésithérapeute
veterinarian vet / vétérinaire
bandage / pansement
wound / plaie
headache / migraine
pill tablet / comprimé
dose dosage / dose posologie
syringe / seringue
needle / aiguille
ear / oreille
hair / cheveux
knee / genou
shoulder / épaule
stomach / estomac ventre
cream / crème
dough / pâte
yeast / levure
jam / confiture
juice / jus
cider / cidre
cake / gâteau
biscuit cookie / biscuit
beef / boeuf
pork / porc
lamb / agneau
chicken poultry / poulet volaille
sausage / saucisse
shellfish / crustacé coquillage
apple / pomme
pear / poire
cherry / cerise
strawberry / fraise
grape / raisin
lemon / citron
potato / pomme patate
onion / oignon
garlic / ail
mushroom / champignon
nut nuts / noix
peanut / arachide cacahuète
seed / graine semence
harvest / récolte vendange
vineyard / vignoble vigne
orchard / verger
field / champ
meadow / pré prairie
barn / grange
cattle / bétail
cow / vache
sheep / mouton
goat / chèvre
pig / cochon
hen / poule
bee / abeille
beehive hive / ruche
fertiliser / engrais
manure / fumier
weed weeds / herbe
mow mowing / tondre tonte
prune pruning / tailler élagage
hedge / haie
lawn / pelouse gazon
root / racine
pond / étang bassin
sea / mer
path trail / sentier chemin
bench / banc
swing / balançoire
slide / toboggan
doll / poupée
rehearsal / répétition
choir / choeur chorale
violin / violon
drum / tambour batterie
song / chanson chant
curator / conservateur
librarian / bibliothécaire
poster / affiche
leaflet flyer / dépliant prospectus
packaging / emballage conditionnement
cardboard / carton
dispatch / expédier
retailer / détaillant
mortgage / hypothèque
coin / pièce
wallet / portefeuille
bankruptcy / faillite
forecast / prévision
classroom / classe
tuition / scolarité
scholarship / bourse
childminder / nourrice
bib / bavoir
referee / arbitre
ball / ballon balle
racket / raquette
slope / piste
umbrella / parapluie parasol
shirt / chemise
trousers / pantalon
skirt / jupe
socks / chaussettes
hat / chapeau
scarf / écharpe
jewel jewellery / bijou
tunic / tunique blouse
apron / tablier
laundry / blanchisserie lessive
sew / coudre
fabric / tissu
silk / soie
copper / cuivre
rubber / caoutchouc
sewage / égout
chimney / cheminée
stove / poêle
kettle / bouilloire
bowl / bol
napkin / serviette
tablecloth / nappe
shutter / volet
hinge / charnière
keyhole / serrure
firefighter / pompier
meter / compteur
drain / évacuation égout
gutter / gouttière
ventilation / aération
thickness / épaisseur
grey gray / gris
brown / marron brun
pink / rose
purple / violet
narrow / étroit
bright / lumineux
dark / sombre
toddler / bambin
widow / veuve
uncle / oncle
aunt / tante
nephew / neveu
sailor / marin
fisherman / pêcheur
priest / prêtre
cemetery graveyard / cimetière
coffin / cercueil
burial / inhumation enterrement
cremation / crémation incinération
wreath / couronne
raffle / tombola
aisle / allée
yard courtyard / cour
fare / tarif
embassy / ambassade
translation / traduction
proofreading / relecture
draft / brouillon
shred / détruire broyer
scan / numériser
glue / coller
cut / couper découper
throw / jeter
bake / cuire
boil / bouillir
thaw / décongeler
peel / éplucher
chop / hacher
spread / étaler
brew brewing / brasser brassage
taste / goûter
smell / odeur sentir
sing / chanter
draw / dessiner
build / construire bâtir
dig / creuser
feed / nourrir
jump / sauter
unload / décharger
unpack / déballer
wrap / emballer
harbour / port
standby / astreinte
stuck jammed / coincé
rescue / secours
trustee / administrateur
supervisor foreman / contremaître
expiry expiration / expiration échéance
lens lenses / lentille
frame frames / monture
yr yrs > year years / année ans
hr hrs > hour hours / heure heures
mins > minute minutes / minute minutes
wk wks > week weeks / semaine semaines
mth mths > month months / mois
errand errands / courses > private personal / personnel privé
camion > van vehicle / camionnette véhicule utilitaire
`;
