// Owns turns of phrase: phrasal verbs and idioms that people type where a document has one plain word. Data only; fields.ts describes the
// format of a line. Words without a space such as "pullout" stand for a phrase of turnPhrases below.

export const turns = `
pullout changemind / désister dédire rétracter > cancel cancellation withdraw withdrawal / annuler annulation résiliation rétractation désistement
cannotcome noshow / empêchement > absence absent cancel cancellation missed prevented / absence absent annulation annuler empêchement
lastminute / > late deadline notice short / délai tard préavis limite
givenotice / > notice resignation termination / préavis démission résiliation
outofpocket / > expenses reimbursed refund / frais remboursement remboursé
instalments / plusieursfois > instalments monthly spread split / plusieursfois échéances mensualités échelonné fois
bankaccount / > account bank iban details / rib iban compte bancaire coordonnées
setback / > cost price fee / coût prix tarif
gethurt / > injury accident injured hurt medical certificate / blessure accident blessé médical certificat
faint collapse dizzy / évanouir malaise > emergency first aid ambulance / secours urgence malaise
havebaby newborn / > birth maternity parental baby newborn / naissance maternité nouveau
tellsomeone / > notify inform report / prévenir informer signaler avertir
accidentally / exprès involontaire > accident damage / accident dommage
introuble / > warning sanction penalty disciplinary / sanction avertissement pénalité disciplinaire
fallout / > dispute conflict disagreement mediation / conflit désaccord litige médiation
shout scream yell insult threaten / crier hurler insulter menacer > harassment behaviour abuse violence report / harcèlement comportement violence insulte signaler
scared worried uneasy / inquiet peur > concern worries safety report / inquiétude sécurité signaler
dropin / > appointment booking visit / rendez réservation visite
dropoff / > deliver hand return leave / déposer remettre remise dépôt
getthere / > address bus train station directions access way / adresse accès bus train gare
admission / > entry admission access doors / entrée accès admission
stayover / > overnight night guest stay / nuit nuitée visiteur séjour
roomfor / > capacity places maximum seats / capacité places maximum
comealong / > accompany accompanying companion guest visitor bring / accompagner accompagnant accompagnateur invité visiteur
switch swap exchange trade / échanger troquer permuter > change exchange transfer swap replace / changer changement échange transfert remplacer
operate surgery operated / opérer opéré > hospital hospitalisation surgery admission / hospitalisation hospitalisé chirurgie
grandson granddaughter grandchild grandkids / petits > child children / enfant
reschedule rearrange / > postpone change move date reschedule / reporter report décaler changer modification
overcharged mischarged / surfacturé > error claim complaint refund / erreur réclamation remboursement
reward gain / récompense gagner > bonus reward premium credit voucher / prime bonus récompense
recruit sponsor introduce / parrainer recommander > referral sponsor refer / parrainage parrain filleul
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const turnPhrases = `
pull out = pullout
pulled out = pullout
pulling out = pullout
back out = pullout
backed out = pullout
drop out = pullout
dropped out = pullout
call it off = pullout
change my mind = changemind
changed my mind = changemind
change our mind = changemind
changed our mind = changemind
change your mind = changemind
changer d avis = retracter
change d avis = retracter
changé d avis = retracter
t make it = cannotcome
t come anymore = cannotcome
not turn up = noshow
t turn up = noshow
t show up = noshow
peux pas venir = empechement
pourrai pas venir = empechement
peut pas venir = empechement
last minute = lastminute
short notice = lastminute
dernière minute = lastminute
dernier moment = lastminute
hand in notice = givenotice
out of pocket = outofpocket
avancer les frais = outofpocket
split the payment = instalments
plusieurs fois = plusieursfois
en quatre fois = plusieursfois
en 3 fois = plusieursfois
en 4 fois = plusieursfois
compte en banque = bankaccount
compte bancaire = bankaccount
coordonnées bancaires = bankaccount
bank details = bankaccount
bank account = bankaccount
set me back = setback
for free = free
no extra charge = free
no extra cost = free
à titre gratuit = gratuit
extra charge = surcharge
go up = increase
going up = increase
goes up = increase
went up = increase
hurt myself = gethurt
hurt himself = gethurt
hurt herself = gethurt
got hurt = gethurt
get hurt = gethurt
gets hurt = gethurt
broke my leg = gethurt
broken leg = gethurt
broke my arm = gethurt
broken arm = gethurt
cassé la jambe = gethurt
cassé le bras = gethurt
fait mal = gethurt
passed out = faint
passes out = faint
having a baby = havebaby
had a baby = havebaby
avoir un bébé = havebaby
attends un enfant = enceinte
attend un enfant = enceinte
let you know = tellsomeone
let them know = tellsomeone
sans faire exprès = expres
in trouble = introuble
fell out with = fallout
fall out with = fallout
not happy = unhappy
not satisfied = unhappy
pas content = mecontent
pas contente = mecontent
pas satisfait = mecontent
drop in = dropin
drop by = dropin
pop in = dropin
walk in = dropin
sans rendez vous = dropin
drop off = dropoff
drop it off = dropoff
get to you = getthere
find you = getthere
venir chez vous = getthere
get in = admission
let in = admission
stay over = stayover
stay the night = stayover
sleep over = stayover
room for = roomfor
space for = roomfor
come along = comealong
tag along = comealong
hand back = return
send it back = return
bring it back = return
take back = return
mettre fin = resiliation
met fin = resiliation
mettent fin = resiliation
mise en service = installation
take effect = begin
takes effect = begin
prend effet = commencer
prennent effet = commencer
prendre effet = commencer
coup de fil = telephoner
faire une machine = lessive
lancer une machine = lessive
put it off = reschedule
push back = reschedule
move the date = reschedule
log on = login
a lift home = vehicle
`;
