// Owns the situations that people describe, with the words of the rule that documents have for them. Data only; fields.ts describes the format
// of a line. Words without a space such as "lockedout" stand for a phrase of situationPhrases below.

export const situations = `
gobust bankrupt insolvent insolvency / faillite ruiné > insolvency protection guarantee compensation covered liquidation / faillite garantie protection liquidation
safe protected covered secured / protégé couvert garanti assuré > protected covered guarantee compensation insured insurance / protection couvert garantie assuré
paperwork papers docs / papiers pièces dossier > documents proof certificate statement identity form / justificatif pièces documents attestation formulaire
stink smell reek / puer pue sentir > smell odour odor / odeur sent mauvais
garbage trash rubbish junk / poubelle ordures détritus > waste bin refuse rubbish litter / bac déchets ordures collecte
collected emptied / ramasser vider > collection emptied collected / collecte vidé levée tournée
sticker tag / étiquette > label sticker badge / autocollant vignette étiquette
meds medication pills tablets / médoc cachet comprimé > medicine medication drug / médicament traitement
clothes garments / fringues vêtements sapes > clothes clothing textiles / vêtements textile habits
blessing / feuvert > approval permission consent authorised / accord autorisation approbation
risk punished / risquer encourir > penalty fine sanction warning exclusion / amende sanction pénalité exclusion
blackout / coupure courant > power electricity fuse breaker outage / électricité coupure disjoncteur panne
boiler radiator / chaudière radiateur > heating boiler / chauffage chaudière
mould damp mildew / moisi moisissure humidité > damp ventilation condensation humidity / humidité aération ventilation
sublet airbnb / airbnb > sublet subletting letting / location
nothome away / absent > absent delivery attempt collect depot neighbour / absence avis passage relais voisin
track whereabouts / suivre > tracking status shipment / suivi statut expédition
scratched dented ripped / rayé cabossé déchiré > damage damaged deposit / dommage dégât caution
unavailable / rupture épuisé > stock available waiting / stock disponible rupture attente
scam fraud con phishing hoax / arnaque escroc > fraud phishing suspicious report / fraude hameçonnage suspect signaler
dayone / > first start arrival welcome induction / premier accueil arrivée
turnuplate runninglate tardy / > late arrival delay admitted / retard arrivée admis
sacked fired / viré licencié > dismissal redundancy termination redundant / licenciement rupture
nights / nuit > night overtime premium supplement / nuit majoration majoré
finishlate / dépasser > overtime extra hours late / heures supplémentaires récupérées dépassement
laundry washing / lessive linge > laundry washing machine launderette / laverie lave linge buanderie
dates / retenir > reservation deposit booking confirmation / réservation acompte arrhes
upfront / avance > deposit advance prepayment prepaid instalment / acompte arrhes caution
treasurer accounts books / trésorier comptes > treasurer accounts / trésorier trésorerie comptes
defibrillator aed / cœur infarctus > defibrillator emergency / défibrillateur dae
bbq barbecue campfire / barbecue grillade > barbecue fire charcoal / barbecue feu
playground swing slide / balançoire toboggan > play area children / jeux aire enfants
stolen nicked robbed / volé volée piqué > theft police stolen report block / vol plainte déclaration opposition
repay / rembourser > repayment instalment interest early / remboursement anticipé échéance
cantpay broke struggling hardup / fauché difficulté > arrears difficulty payment plan late support / impayé difficulté échelonnement aide
welfare / rsa minima > concession reduced rate credit allowance / réduit tarif quotient aide bourse
disappointed / déçu > complaint satisfaction refund guarantee / réclamation satisfait remboursement
tailgate queue / file attente > queue waiting list / attente file liste
waitlist full / complet > waiting list full places / attente complet liste places
trialrun tryout taster / essayer tester > trial taster free lesson / essai découverte gratuit
kit gear bring / apporter affaires > equipment bring provided wear / matériel apporter fourni prévoir
rained rainedoff / pleuvoir > weather cancelled rain / météo intempéries annulé pluie
watch spectate onlooker / regarder > spectator visitor audience / spectateur visiteur accompagnateur
deaf hearing / sourd > hearing loop induction subtitles / boucle audition surtitres
blind braille / aveugle malvoyant > blind audio large print guide dog / audiodescription malvoyant guide
headphones earphones / casque écouteurs > noise headphones / casque écouteurs bruit
cloakroom coat / manteau veste > cloakroom / vestiaire
translate interpreter / traduire > translation interpreter language / traduction interprète langue
notary inheritance / héritage notaire > beneficiary nomination probate estate / succession bénéficiaire décès
widow bereaved grieving / veuve deuil > death bereavement / décès deuil
smoke alarm / alarme incendie > fire alarm evacuate assembly / alarme incendie évacuation rassemblement
gas / gaz fuite > gas emergency evacuate / gaz urgence fuite
reload / recharger > credit top balance / crédit recharge solde
autopay / prélevé > direct debit / prélèvement
split share / partager diviser > share shared split / partage partagé
haggle negotiate / négocier marchander > discount price / remise prix
grant subsidy funding / subvention > grant subsidy aid / aide subvention prime
homework coursework essay / devoirs mémoire > assignment coursework submission / devoir rendu travail
cheat copy plagiarise chatgpt / tricher copier plagier chatgpt > plagiarism misconduct generated artificial / plagiat fraude intelligence artificielle
resit retake failed fail / rattraper rater échouer > resit retake failed session / rattrapage session échec
quit / abandonner lâcher > withdrawal refund leave cancel / abandon désistement remboursement
yearout / césure > break suspension interruption leave / césure interruption
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const situationPhrases = `
go bust = gobust
goes bust = gobust
went bust = gobust
feu vert = feuvert
not home = nothome
day one = dayone
turn up late = turnuplate
running late = runninglate
finish late = finishlate
can t pay = cantpay
hard up = hardup
try out = tryout
rained off = rainedoff
year out = yearout
year off = yearout
`;
