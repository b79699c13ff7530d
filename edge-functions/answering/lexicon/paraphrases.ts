// Owns what people say instead of a document's own words, whatever the field. Data only; fields.ts describes the format of a line.

export const paraphrases = `
chief / > supervisor lead / directrice supérieur hiérarchique
quit leave chuck jack / démissionner quitter lâcher casser > resign resignation terminate termination notice leaving cancel cancellation / démission rupture préavis résiliation résilier
money dough / argent fric thune pognon > salary pay paid payment wages amount debit refund / salaire paie versé virement prélèvement remboursement
hire newbie newcomer joiner / nouveau arrivant recrue débutant > onboarding joining arrival start new recruit / intégration arrivée embauche entrée
recommend refer referral introduce / recommander parrainer coopter > referral recommend refer recommendation / cooptation parrainage recommandation
outfit clothes dress wear attire / habiller fringues vêtir porter habits > attire dress uniform clothing wear / tenue vêtement uniforme blouse
sneakers trainers plimsolls tennis / baskets tennis > trainers shoes footwear / chaussure basket
moan grumble whinge gripe complain unhappy dissatisfied / râler plaindre mécontent insatisfait > complaint claim grievance dissatisfied / réclamation plainte contestation médiateur
quarrel argue argument row fight dispute / dispute engueuler embrouille bagarre > dispute conflict disagreement grievance mediation / litige conflit différend médiation
bully bullied bullying pick / harceler embêter > harassment bullying discrimination / harcèlement discrimination
nick pinch swipe rob / piquer chiper chouraver braquer > stolen theft robbery burglary / volé cambriolage braquage
robbery holdup burglary burgled mugged raid / braquage cambriolage cambrioler agression > robbery burglary theft / braquage cambriolage effraction vol agression
bust kaput dud knackered wonky malfunction / foutu nase naze kaput pété bousillé déglingué > defective defect faulty fault broken damaged malfunction failure / défectueux défaut panne casse dommage
flash blink / clignoter clignotant > blinks flashes light lamp led / clignote voyant lampe
discharged drained flat dead / déchargé vide plat > low empty discharged battery / faible déchargé vide pile batterie
gig gigabyte gb data / giga gigaoctet go données > data gb gigabyte / données go giga
ring call dial phone / appeler sonner téléphoner > call phone telephone number / appeler téléphone numéro
xmas yuletide / noël > christmas december holiday / noël décembre
promo promotion campaign deal special / promo promotion campagne réclame solde > promotion campaign offer discount / promotion campagne offre remise
bounce refused / rejeté refusé > rejected returned unpaid failed / rejeté impayé refusé
debit withdrawn deducted / débité prélevé ponctionné > debited direct deducted / prélèvement débité
tied commitment bound lock / engagement lié > minimum term commitment contract binding / engagement minimum durée
leftover unused remaining left / reste restant inutilisé > unused remaining leftover untaken / inutilisé reste restant solde reliquat
expire lapse lost forfeit / expirer périmer perdu perdre > lapse expire forfeited lost / expire périmé perdu caduc
rollover carry carried / cumuler > carried carry transferred / reporté cumulé
notify inform warn / prévenir avertir informer signaler aviser > notify notified notification inform report / prévenir prévenu informer signaler avertir
submit send file lodge / remettre déposer soumettre transmettre rendre > submit submission filed sent / remis déposé transmis soumis envoyé
/ cumuler gagner > accrue / acquis acquérir
fixing working handling solving / corriger traiter résoudre occuper > assignee assigned owner responsible / assigné responsable attribué
nobody unassigned noone / personne > unassigned assignee none / assigné
bug glitch hiccup / bug bogue pépin > bug ticket issue error / bug ticket anomalie incident
crash freeze hang / planter figer > crash freezes error / plante plantage erreur
release version rollout launch ship / version sortie déploiement lancement > release version rollout roll launch update / version sortie déploiement mise
golive deployment deployed live / déployer déploiement production > rollout roll release deployment live / déploiement mise production
overseas abroad foreign / étranger > roaming international foreign / international itinérance
reboot restart / redémarrer relancer > restart reboot / redémarrer
reset erase clear wipe / réinitialiser effacer vider > reset erase factory / réinitialisation réinitialiser effacement
instructions booklet / notice mode emploi > manual guide instructions / notice guide manuel
waterproof watertight rain rainproof wet / étanche imperméable pluie > waterproof protection ip water resistant / étanche pluie protection ip
included comes supplied box / compris inclus fourni livré > included supplied box contents / inclus fourni compris livré contenu
bin discard dispose chuck throw / jeter bazarder éliminer > dispose disposal recycling waste / élimination recyclage déchet déchetterie
keypad keyboard pad / clavier pavé digicode
battery batteries cell cells / pile piles batterie accu
lock locks / serrure verrou
postage mailing / port affranchissement > postage shipping return cost carriage / port frais expédition
courier deliveryman postman / livreur coursier transporteur facteur > carrier courier delivery / transporteur livreur livraison
wholesaler reseller dealer retailer trade / revendeur grossiste négociant > dealer trade reseller wholesale / revendeur grossiste professionnel
defer / > postpone moved / report décalé
hurry rush express urgent / pressé express urgent
grease oil lubricate lubricant / huiler graisser lubrifier > lubricant grease oil / lubrifiant graisse huile
drill hole / percer trou perçage > drilling / perçage percer
mount fit attach hang / monter poser fixer accrocher > mounting fitted installation / montage pose fixation
/ bosse > scratch damage / rayure dommage
leak drip / fuite fuir goutter > leak leakage water / fuite eau
stuck jam blocked / coincé bloqué bourrage > blocked jam stuck / bloqué bourrage coincé
dummy pacifier soother / tétine sucette
nap sleep / sieste dodo dormir > nap rest sleep / sieste repos
bottle formula milk / biberon lait
settling settle adaptation / adaptation intégration
tummy stomach gastro vomiting diarrhoea / gastro ventre vomir diarrhée > gastroenteritis vomiting diarrhoea / gastro vomissement diarrhée
nail nails polish varnish manicure / vernis ongle ongles manucure
ring rings jewellery jewelry earring earrings necklace bracelet / bague bijou bijoux boucle collier bracelet
teddy cuddly toy / doudou peluche
antibiotic pill tablet syrup / antibiotique cachet sirop comprimé > medicine medication prescription / médicament ordonnance
fetch collect pickup / récupérer chercher prendre > collect collection pick / chercher remis récupérer
bump bang knock hit / cogner choc tomber chute > bump blow fall injury accident / choc chute accident
/ cuistot > kitchen / cuisine
headteacher principal headmaster / directeur proviseur principal
publish display / publier afficher > posted displayed published / affiché publié
wrong incorrect mistaken false / faux erroné mauvais incorrect > wrong incorrect invalid / erroné incorrect faux invalide
owe owed owing outstanding / devoir redevable > due outstanding owed payable / redevable solde
/ étaler > instalments monthly / mensualités échéances fois
hangover drunk tipsy booze beer wine pint / bourré ivre pinard bière vin cuite > alcohol alcoholic / alcool alcoolisé
joint cannabis / joint cannabis > drugs narcotics / drogue stupéfiants
/ vapoteuse > smoke / fumer tabac
lad pal chum / copine > friend guest visitor / ami invité visiteur
relative mum dad mom / papa maman > parent family mother father / parent famille mère père
char maid housekeeper / > cleaning / ménage nettoyage
guy bloke fellow lady / mec gars nana dame > person man woman / personne homme femme
wheels ride motor / > vehicle / voiture véhicule
john gents ladies / chiottes > toilet / toilettes sanitaires
bite nosh / bouffe graille > meal lunch / repas déjeuner
cold freezing chilly / froid gelé > cold temperature frost / froid température gel
boiling hot heatwave / chaud canicule > heat temperature heatwave / chaleur température canicule
din / vacarme > noise quiet / bruit calme
crowded packed busy / bondé monde plein > capacity full maximum / capacité complet affluence
wheelchair crutches disabled / fauteuil béquilles handicapé > accessible access disabled lift / accessible accès handicap ascenseur
expecting / > pregnancy /
married / pacs > wedding / mariage
died dies dead deceased / mort mourir décédé > death bereavement died / décès deuil
jury court / juré tribunal > jury court / juré tribunal
sidejob moonlight / cumuler > secondary outside employment activity / cumul activité secondaire
latest / butoir tard > deadline latest / limite échéance
freeze cutoff stop / gel > freeze / gel
stuff / matos attirail > equipment gear / matériel équipement
locked lockout blocked / verrouillé > locked blocked / bloqué verrouillé
spam junk / indésirable spam > spam phishing junk / spam hameçonnage
virus hacked malware / virus piraté piratage > virus / virus piratage
passcode password pin code / mot code passe pin
photo picture selfie photographs pics / photo cliché > photo photograph image / photo image photographie
party celebrate celebration / teuf > party event celebration / fête événement
parking / garer parking > space /
puppy kitten / chiot chaton > dog cat / chien chat
granny grandparents elderly oap senior retired / mamie papy senior > senior elderly retired / senior retraité âgé
undergraduate uni / lycéen fac > student / étudiant
jobless unemployed dole / chômeur chômage > unemployed jobseeker / demandeur emploi chômeur
discount reduction cheaper knock / réduc ristourne rabais remise > discount reduction reduced % / remise réduction réduit
dearest / onéreux > price cost expensive / prix coût
worth value price / valeur valoir
grab / choper procurer > buy purchase order / acheter commande achat
sell flog / vendre fourguer > sell sale / vente vendre
rent hire / louer location
hide conceal / cacher
allow permit / laisser autoriser permettre
forbid / interdire > / défendu
/ forcé > mandatory required compulsory / obligatoire exigé
choose / > optional voluntary / facultatif
increase rise raise hike / augmenter augmentation hausse
cut drop lower reduce / baisser réduire diminuer
obtain receive / recevoir obtenir toucher
sickness ill unwell poorly flu cold fever / malade grippe souffrant rhume > sickness illness sick absence certificate / maladie arrêt absence certificat
dentist doctor appointment checkup / dentiste médecin rendez > medical appointment / médical consultation
fire burning flames smoke / feu incendie brûle > fire evacuation alarm / incendie évacuation alarme
exit escape evacuate / sortir fuir évacuer > exit evacuation assembly / sortie évacuation rassemblement
sue court lawyer legal / procès tribunal avocat > jurisdiction court legal dispute / tribunal litige juridiction
nasty rude mean unpleasant / méchant impoli désagréable > behaviour conduct respect / comportement respect conduite
snitch whistleblower denounce / dénoncer balancer > whistleblowing report alert / alerte signalement
stocktake inventory count / inventaire compter
warehouse depot storeroom stockroom / entrepôt dépôt réserve stock
till register checkout / caisse
shopkeeper cashier clerk assistant / vendeur caissier vendeuse
clock badge punch / pointer badger pointage > time recorded attendance / temps
wfh homeworking remote remotely / télétravail distance > remotely home /
upgrade better / améliorer supérieur > upgrade change plan / changement passage
downgrade smaller cheaper / inférieur réduire > downgrade change plan / changement inférieur
unsubscribe cancel stop end / désabonner désinscrire arrêter résilier > cancel cancellation terminate termination unsubscribe / résiliation résilier annulation désinscription
breakdown outage offline / panne coupure > outage incident downtime / panne incident coupure
upload import / importer téléverser > / dépôt
signal reception bars / réseau > signal coverage reception / signal couverture réception
last lifespan / durer tenir > life lifetime autonomy / autonomie
mass / masse > weight / poids
person people / personne gens > users user / utilisateurs utilisateur
run lead head / diriger gouverner > director manager head chair president chairman owner / directeur président gérant direction chef responsable
filetype format formats / format formats > pdf docx csv jpeg jpg png / pdf docx csv jpeg jpg png
pdf jpeg jpg png / pdf jpeg jpg png > attachment attachments file files image images / jointe fichier fichiers image images
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const paraphrasePhrases = `
used up = used
hold up = robbery
sign up = register
get in touch = contact
get hold of = contact
reach out = contact
get through = contact
look after = care
pass away = died
passed away = died
call in sick = sickness
feel unwell = sickness
side job = sidejob
second job = sidejob
doesn t work = defective
not working = defective
stopped working = defective
won t start = defective
ne marche pas = defective
ne marche plus = defective
marche pas = defective
marche plus = defective
fonctionne pas = defective
fonctionne plus = defective
tombé en panne = panne
go live = golive
mise en production = golive
line manager = manager
n plus un = manager
per head = person
lunch break = break
on foot = walking
à pied = marche
car park = parking
get married = wedding
getting married = wedding
got married = wedding
se marier = wedding
me marie = wedding
se plaindre = complaint
prix de revient = cost
prendre soin = care
machine à laver = washer
file type = filetype
file types = filetype
type de fichier = filetype
types de fichiers = filetype
`;
