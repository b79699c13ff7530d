// Owns the everyday words of measures, tools, premises, beginnings and ends. Data only; fields.ts describes the format of a line.

export const things = `
noise noisy loud loudness quiet silent decibel decibels db / bruit bruyant silencieux décibel décibels sonore
temperature hot cold warm heat degree degrees / température chaud froid chaleur degré degrés
watt watts wattage kilowatt / watt watts kilowatt > power consumption watt / puissance consommation watt
volt volts voltage / volt volts tension
litre liter litres liters / litre litres > volume capacity tank litre / volume capacité contenance litre
humidity humid damp moisture / humidité humide
room space gap clearance / espace place écart > space clearance free distance / espace libre distance dégagement
tool tools app gadget / outil outils appli > tool software app application platform program system service / outil logiciel appli application plateforme programme système service
software program application / logiciel programme application
provider supplier vendor / fournisseur prestataire
premises headquarters office offices / locaux siège bureaux bureau
branch outlet shop store / agence succursale magasin boutique
booth cabin pod box / cabine box
hog block occupy monopolise / monopoliser bloquer > occupy occupied use / occuper occupé utiliser
waiter waitress server bartender / serveur serveuse barman > waiter staff team crew / serveur personnel équipe
receptionist reception / réceptionniste accueil
customer client guest / client cliente
complain complaint unhappy dissatisfied / plaindre plainte plains mécontent insatisfait réclamer > complaint complaints claim objection / réclamation plainte réclamations
postpone reschedule move delay / décaler reporter repousser déplacer report
bring forward earlier / avancer
instalment instalments installment installments monthly / mensualité mensualités échelonner échelonné > instalment times split monthly / fois mensualité échelonné échéance
assemble assembly fitting mounting / monter montage assemblage pose
puppy pup hound / chiot toutou > dog pet animal / chien animal
kitten kitty / chaton minou > cat pet animal / chat animal
dispose discard recycle scrap junk / jeter débarrasser recycler > recycle recycled disposal dispose waste collect / recycler recyclé déchets collecte reprise
smash shatter crack drop / casser briser fêler > break broken breakage damage damaged / casser casse cassé dommage abîmé
rollover carry carried rolls move moved forward / reporter reporté report
lapse expire expiry run / expirer expiration périmer > expire expires end ends valid / expirer fin valable
keep fresh shelf / conserver garder > best keep store shelf / conserver conservation dlc consommer
dear pricey expensive costs / cher coûteux > price cost / prix coût
found founded founder create created establish established start / fonder fondé fondateur créer créé création
win winner awarded award choose chosen selected / gagner remporter obtenir choisir choisi retenu attribué
wash washing rinse dirty clean / laver lavage rincer sale propre
vomit vomiting puke sick / vomir vomissement vomi
data file files information / données fichier fichiers informations
raise rise increase / augmentation hausse augmenter
spare replacement / rechange remplacement
near nearest nearby close closest / proche près
hire recruit recruitment refer referral / embaucher recruter recrutement cooptation
bonus reward premium / prime récompense bonus
tip tips gratuity gratuities / pourboire pourboires
drain drainage outlet / évacuation vidange écoulement
plug socket power outlet / prise branchement
journey drive trip ride travel / trajet route voyage déplacement
lease tenancy rental contract / bail location loyer
mate mates buddy friend friends / pote copain ami amis > visitor visitors guest guests friend / visiteur visiteurs invité invités ami
leave quit go departure / partir départ quitter
participate participant attend attendance attendee come / participer participant participation venir assister viennent présence
give back return hand / rendre rendu restituer restitution
permanent regular lasting / permanent permanente durable
harassment bullying abuse / harcèlement intimidation
allowance stipend budget contribution / allocation indemnité budget participation
perk perks benefit benefits / avantage avantages
equipment kit gear material / équipement matériel
rule rules regulation policy / règle règles règlement politique
deadline limit cutoff / échéance limite délai
recipe ingredient ingredients / recette ingrédient ingrédients
origin come source made / origine provenance venir provenir
ham / jambon
honey / miel
cheese / fromage
butter / beurre
bread / pain
amex / amex > american express
egg eggs / oeuf oeufs
fish / poisson
meat / viande
wine / vin
beer / bière
soap / savon
wood wooden / bois
oak / chêne
glass / verre
paper / papier
plastic / plastique
metal steel iron / métal acier fer
leather / cuir
wool / laine
stone / pierre
clay / terre argile
longest biggest / maximal > maximum max / maximum
sealed / scellé sceau
m3 cubicmetre / metrecube
m2 sqm squaremetre / metrecarre
`;

export const thingsPhrases = `
carry over = rollover
carried over = rollover
roll over = rollover
rolls over = rollover
rolled over = rollover
throw up = vomit
throwing up = vomit
threw up = vomit
get rid = dispose
getting rid = dispose
best before = keep
en plusieurs fois = instalment
en trois fois = instalment
payer en plusieurs = instalment
cubic metre = cubicmetre
cubic metres = cubicmetre
cubic meter = cubicmetre
cubic meters = cubicmetre
square metre = squaremetre
square metres = squaremetre
square meter = squaremetre
square meters = squaremetre
mètre cube = metrecube
mètres cubes = metrecube
mètre carré = metrecarre
mètres carrés = metrecarre
`;
