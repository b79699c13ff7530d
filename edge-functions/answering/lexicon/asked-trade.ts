// Owns what customers ask of shops, banks, insurers, telecoms, car hire and travel agencies, with the words of the terms. Data only; fields.ts
// describes the format of a line. Words without a space such as "doesntfit" stand for a phrase of askedTradePhrases below.

export const askedTrade = `
doesntfit dontlike / nemevapas meplaitpas > return exchange withdrawal refund size / retour échange rétractation remboursement taille
notarrived / pasarrivé jamaisreçu > receipt received lost missing delay tracking carrier investigation late undelivered / perte perdu retard suivi transporteur enquête réclamation
cheaperelsewhere / moinscherailleurs > match price competitor lowest beat / alignons alignement concurrent tarif
oldappliance / vieilappareil > takeback collection removal appliance recycle old bulky / enlèvement reprise ancien appareil usagé encombrant encombrants
stamps / tampons > loyalty reward rewards points programme / fidélité points
wrongitem / mauvaisarticle > error incorrect exchange wrong mistake / erreur échange conformité
putaside / mettredecôté > reserve reservation hold collect / réservation réserver retrait
soldout / plusenstock > stock restock available availability / réapprovisionnement disponible stock rupture
noreceipt / sansticket > receipt proof purchase / ticket preuve justificatif caisse
opened worn / étrenné > original packaging unworn unused unopened / emballage origine neuf étiquette
underwear knickers / culotte > hygiene excluded sealed / hygiène exclus scellé
measure / mensurations hésiter > size chart guide measurements / guide tailles mesures
shrink washable tumble / rétrécir lavable > care washing degrees / entretien lavage degrés
duty import / douane importer > customs duties taxes international / douane droits international
counterfeit genuine / contrefait > authentic authenticity genuine / authentique authenticité certificat
nest savings stash / épargner économies > savings interest rate / épargne taux livret rémunération
unknownpayment notme / pasmoi > unauthorised disputed fraud dispute / contestation frauduleux opposition contester
mortgage / immobilier > loan credit mortgage / prêt crédit
payingmyself ownpocket / resteàcharge > excess deductible copayment / franchise charge modérateur
crash collision / accrochage carambolage > claim accident statement report / sinistre constat déclaration
watereverywhere flooded / eaupartout inondation > water damage leak / dégât eaux fuite sinistre
breaksomething / casséquelquechose > liability damage third civil / responsabilité civile tiers dommage
shrinks osteo / ostéo psychologue > sessions therapies / séances médecines douces
keepmynumber / gardermonnuméro > porting portability port transfer / portabilité rio
puk unlock / puk débloquer > unlock unlocking puk / déblocage déverrouillage puk
esim / puce > sim esim card / carte esim
newdriver / jeunepermis > minimum young surcharge novice / jeune novice conducteur permis
blockmycard / bloquercarte > deposit preauthorisation hold authorisation / préautorisation empreinte dépôt garantie
fulltank / faireleplein > fuel tank full / carburant plein
scratched dinged keyed / rayé éraflé > damage excess deposit condition / dommage franchise état
estimate / estimation > quote estimate quotation / devis
flat puncture burst / crevé crevaison > tyre puncture breakdown / pneu crevaison dépannage
passport visa / passeport visa > entry formalities identity document / formalités identité entrée
misspelt spelt wrongname / prénom > correction name change spelling / correction modification nom
missedflight missedtrain / ratétrain > missed noshow show unused / manqué présentation
oversleep overslept / réveillé > missed late show / manqué présentation retard
quarantine pandemic covid / covid pandémie > cancellation refund voucher force majeure / annulation remboursement majeure
volcano strike war / grève guerre > force majeure disruption extraordinary / majeure perturbation
ripoff scammed conned / arnaqué pigeon > complaint claim mediator dispute / réclamation médiateur litige
ghosted ignored unanswered / ignoré répond > complaint mediator escalation ombudsman / réclamation médiateur recours
discountcode / codepromo > promotional voucher code coupon / promotionnel promo code coupon
/ pro > business professional trade vat / professionnel tva
paylater / payerplustard > instalments deferred credit invoice / différé échelonné mensualités
fast quickly / vite rapidement > express urgent / express urgence rapide
/ faiten > material materials composition fabric / matière matières composition matériau
brokendown breakdown / > roadside assistance recovery towing
borrow / emprunter > loan lending / prêt emprunt
interest / intérêt intérêts > rate rates apr / taux
outofdata / > fair usage limit reduced
whileaway / pendantmonabsence > boarding kennel pause hold / pension garde suspension
gift present / cadeau > wrapping wrapped / emballage
withdraw / dépenser > limit ceiling / plafond
invest / placer > savings / épargne placement
nosignal / captepas > coverage signal network / couverture réseau
missed / > noshow unused / présentation manqué
/ perdu > replacement duplicate / remplacement duplicata
chargedtwice / débitédeuxfois > duplicate refund error charge / doublon erreur remboursement débit
hiddenfees catch / caché > fees charges surcharge / frais supplément
lockedin trapped commitment / coincé engagement > minimum term contract commitment / engagement durée minimum
coolingoff regret / regret regretter > withdrawal cooling / rétractation délai
deliveryman upstairs / étage monter > delivery floor threshold kerbside / étage pied livraison
signature / signature > signature proof receipt / signature remise
tracking / oùestmoncolis > tracking track status / suivi suivre
chip knocked / éclat choc > damage transit carrier reserves / dommage transport réserves
manual leaflet / modedemploi > manual instructions guide / notice manuel
wrap ribbon / ruban > gift wrapping / emballage cadeau
preorder / précommander > preorder release availability / précommande sortie disponibilité
hail storm tree / grêle tempête > natural storm weather / naturelle tempête climatique
bites / mordu morsure > liability civil damage / responsabilité civile
cracked smashed / fissuré brisé > breakage screen accidental / casse bris écran
divorce separated / divorce séparé > separation joint beneficiary / séparation conjoint
laidoff unemployed / chômage > unemployment income loss / emploi perte chômage
upfront downpayment / apport > deposit contribution downpayment / apport acompte
phished hacked / piraté > fraud report block / fraude opposition
cashmachine notes / billets distributeur > atm withdrawal cash / distributeur retrait automate
currency dollars / devises dollars > exchange currency rate / change devise taux
landline / > landline fixed / fixe
dongle hotspot tether / partage > hotspot tethering / modem partage
cutoff disconnected / coupée coupé > suspension disconnected unpaid / suspension impayé restriction
kidseat / siègebébé > child seat booster / siège rehausseur enfant
elsewhere / ailleurs > oneway return different / aller restitution agence
gearbox stick / > transmission manual automatic / boîte vitesses manuelle
tyres winter snow / pneus neige > winter tyres chains / hiver pneus chaînes
service serviced checkup / révision vidange > servicing maintenance interval / révision entretien
noise squeak rattling / grince couine > brakes inspection diagnosis / freins diagnostic
tipping included / boissons > included inclusive excluded / inclus comprend
together / ensemble > seats adjacent selection / sièges sélection
voucher vouchers / > giftcard gift credit expiry
stillvalid / encorevalable > expire expires expiry valid validity / expire expirent expiration validité valable
regulars / habitués > loyalty programme rewards members / fidélité
wrongaddress / mauvaiseadresse > address amend amended change correct / adresse modification correction
misdirected / mauvaisepersonne > misdirected recall recalled transfer error / erreur rappel virement
takethewheel / prendrelevolant > additional driver named / conducteur supplémentaire désigné secondaire
/ ramener > / restitution retour dépassement
talktowho / parleràqui > advisor contact hotline / conseiller contact référent joignable
nointernet / plusinternet > outage interruption incident fault / interruption interruptions panne incident
payless / payermoins > concession reduced discount reduction / réduit réduction tarif
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const askedTradePhrases = `
doesn t fit = doesntfit
don t fit = doesntfit
didn t fit = doesntfit
doesn t suit = doesntfit
don t like = dontlike
didn t like = dontlike
me va pas = nemevapas
me vont pas = nemevapas
me plaît pas = meplaitpas
me plaisent pas = meplaitpas
plaît pas = meplaitpas
never arrived = notarrived
didn t arrive = notarrived
hasn t arrived = notarrived
not arrived = notarrived
hasn t come = notarrived
never came = notarrived
didn t come = notarrived
still not here = notarrived
never turned up = notarrived
jamais arrivé = pasarrive
pas arrivé = pasarrive
pas reçu = jamaisrecu
jamais reçu = jamaisrecu
rien reçu = jamaisrecu
toujours pas là = pasarrive
cheaper elsewhere = cheaperelsewhere
cheaper somewhere = cheaperelsewhere
cheaper online = cheaperelsewhere
cheaper on amazon = cheaperelsewhere
moins cher ailleurs = moinscherailleurs
old machine = oldappliance
old fridge = oldappliance
old washing machine = oldappliance
old one away = oldappliance
old mattress = oldappliance
old sofa = oldappliance
vieille machine = vieilappareil
vieux frigo = vieilappareil
ancienne machine = vieilappareil
vieil appareil = vieilappareil
vieux matelas = vieilappareil
vieux canapé = vieilappareil
wrong item = wrongitem
wrong one = wrongitem
wrong product = wrongitem
wrong thing = wrongitem
pas le bon = mauvaisarticle
mauvais article = mauvaisarticle
mauvais produit = mauvaisarticle
put aside = putaside
keep it aside = putaside
set aside = putaside
mettre de côté = mettredecote
met de côté = mettredecote
back in stock = soldout
plus en stock = plusenstock
lost the receipt = noreceipt
lost my receipt = noreceipt
no receipt = noreceipt
without a receipt = noreceipt
without the receipt = noreceipt
perdu le ticket = sansticket
perdu mon ticket = sansticket
plus le ticket = sansticket
sans ticket = sansticket
didn t make = unknownpayment
wasn t me = notme
don t recognise = unknownpayment
don t recognize = unknownpayment
pas moi qui = pasmoi
pay myself = payingmyself
own pocket = ownpocket
reste à charge = resteacharge
à ma charge = resteacharge
ma poche = resteacharge
eau partout = eaupartout
water everywhere = watereverywhere
break something = breaksomething
damage something = breaksomething
cassé quelque chose = cassequelquechose
casse quelque chose = cassequelquechose
abîmé quelque chose = cassequelquechose
keep my number = keepmynumber
same number = keepmynumber
garder mon numéro = gardermonnumero
même numéro = gardermonnumero
jeune permis = jeunepermis
new driver = newdriver
jeune conducteur = jeunepermis
block my card = blockmycard
bloquer ma carte = bloquercarte
full tank = fulltank
faire le plein = faireleplein
wrong name = wrongname
missed my flight = missedflight
miss my flight = missedflight
missed my train = missedtrain
miss my train = missedtrain
raté mon train = ratetrain
raté mon avion = ratetrain
rate mon train = ratetrain
discount code = discountcode
promo code = discountcode
code promo = codepromo
pay later = paylater
payer plus tard = payerplustard
bit by bit = instalments
petit à petit = plusieursfois
with my phone = contactless
avec mon téléphone = contactless
fait en quoi = faiten
change my appointment = reschedule
move my appointment = reschedule
change the date = reschedule
change my booking = reschedule
move my booking = reschedule
changer la date = reschedule
changer de date = reschedule
décaler mon rendez = reschedule
broke down = brokendown
breaks down = brokendown
out of data = outofdata
while i m = whileaway
pendant mon absence = pendantmonabsence
young driver = newdriver
m not in = nothome
not at home = nothome
pas chez moi = absent
suis pas là = absent
capte pas = captepas
capte mal = captepas
no signal = nosignal
no bars = nosignal
charged twice = chargedtwice
charged me twice = chargedtwice
billed twice = chargedtwice
débité deux fois = debitedeuxfois
prélevé deux fois = debitedeuxfois
hidden fees = hiddenfees
hidden costs = hiddenfees
locked in = lockedin
cooling off = coolingoff
où est mon = ouestmoncolis
child seat = kidseat
siège bébé = siegebebe
siège enfant = siegebebe
cash machine = cashmachine
got nothing = notarrived
received nothing = notarrived
rien eu = jamaisrecu
packed up = defective
conked out = defective
died on me = defective
turn on anymore = defective
s allume plus = defective
s allume pas = defective
a lâché = defective
rendu l âme = defective
démarre plus = defective
démarre pas = defective
my cash back = refund
revoir mon argent = remboursement
récupérer mon argent = remboursement
récupérer mes sous = remboursement
les sous = argent
mes sous = argent
des sous = argent
any good = stillvalid
still good = stillvalid
still valid = stillvalid
encore bon = encorevalable
encore valable = encorevalable
wrong address = wrongaddress
wrong street = wrongaddress
mauvaise adresse = mauvaiseadresse
wrong person = misdirected
wrong account = misdirected
mauvaise personne = mauvaisepersonne
mauvais compte = mauvaisepersonne
used my card = unknownpayment
used my account = unknownpayment
utilisé ma carte = pasmoi
below zero = overdrawn
in the red = overdrawn
dans le rouge = overdrawn
clear my mortgage = payoff
clear my loan = payoff
clear my debt = payoff
take the wheel = takethewheel
prendre le volant = prendrelevolant
parle à qui = parleraqui
parler à qui = parleraqui
à qui parler = parleraqui
plus d internet = plusinternet
bloqué avec vous = lockedin
stuck with you = lockedin
pay less = payless
payer moins = payermoins
vient plus = annuler
viendra plus = annuler
`;
