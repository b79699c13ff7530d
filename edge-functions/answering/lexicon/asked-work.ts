// Owns what people ask of staff handbooks and of the help pages of software, with the words of the rule. Data only; fields.ts describes the format
// of a line. Words without a space such as "sickchild" stand for a phrase of askedWorkPhrases below.

export const askedWork = `
daysleft / ilmereste > balance remaining entitlement outstanding unused / solde reliquat compteur restant
roundtheworld / tourdumonde > sabbatical unpaid leave career break / sabbatique solde
owncar / voitureperso > mileage vehicle private car / véhicule kilométrique kilométriques voiture
taxi uber cab / taxi vtc uber > transport travel journey / déplacement déplacements transport
receipts receipt / tickets justifier > voucher proof receipt original / justificatif justificatifs facture reçu
learn skills course / apprendre cours perfectionner > training learning development / formation compétences
promoted promotion / promu promotion > career progression promotion / évolution carrière mobilité
assess appraise / évaluer noter > appraisal review evaluation assessment / entretien évaluation
burnout exhausted / burnout épuisement crevé > wellbeing occupational mental health / médecine psychosociaux santé
dating romance affair / flirt amour couple > relationship conflict / relation conflit
standby beeper / astreinte > standby call rota / astreinte permanence
lunchvoucher / titres > meal voucher vouchers luncheon / titre restaurant
secret / secret > confidential confidentiality disclosure / confidentiel confidentialité secret
illegal corrupt crooked / illégal corrompu louche > whistleblowing compliance misconduct fraud report / alerte signalement conformité fraude
fewerhours / travaillermoins > parttime reduced hours / partiel réduit
newbank / changebanque > account iban bank payroll details / rib iban coordonnées bancaires
newaddress / nouvelleadresse > address details change update / coordonnées adresse changement domicile
freelancing / microentreprise > secondary outside employment activity approval / cumul activité accessoire autorisation
godfather buddy / tuteur parrain > buddy mentor sponsor / tuteur parrain référent mentor
lieu / récup > compensatory lieu / récupération repos compensateur
belly / ventre > pregnancy maternity / grossesse maternité
hospitalised operation / opération > sick hospital illness / maladie arrêt hospitalisation
gp checkup / > occupational medical examination / médicale médecine visite
outfits heels tracksuit cap / jogging talons débardeur > dress attire clothing appearance / tenue vestimentaire
swear insulted humiliated belittled / insulté humilié rabaissé > harassment bullying dignity respect / harcèlement respect
touched groped creepy / attouchement tripoter > harassment sexual misconduct / harcèlement sexuel
colleagues teammates coworkers / collègues coéquipiers > members users seats staff / membres utilisateurs sièges salariés
kickoff removeuser / virerutilisateur > deactivate revoke remove disable member / désactiver révoquer supprimer retirer membre
bymistake oops / parerreur > restore recover undo trash history / restaurer récupérer corbeille historique annuler
disappeared vanished / disparu envolé > restore trash recover deleted / restaurer corbeille récupérer supprimé
isitdown somethingup / çarame > outage status incident degraded maintenance / panne incident statut perturbation maintenance
whosees / quivoit > visible access private shared permission confidential / visible accès privé partagé droits confidentiel
googleaccount / comptegoogle > sso sign oidc saml identity / sso authentification saml oidc unique
hackers hackable prying / pirates hackers > encryption encrypted security protected / chiffrement chiffré sécurité
hosted stored / stocké hébergé > hosting hosted region centre datacentre / hébergement hébergé centre
privacy gdpr personal / rgpd intimité > protection processing controller dpo / traitement protection personnelles dpo
hook sync / relier synchroniser > integration integrations connector api webhook / intégration connecteur api
developers coders script / développeurs > api endpoint token developer / api jeton
spreadsheet excel / tableur excel > csv xlsx export / csv xlsx export
pester nag emails / mails > notifications notification digest / notifications notification
whochanged / quiamodifié > audit log history version / journal historique audit version
viewer readonly / lecture > viewer read guest / lecture lecteur invité
freeversion / versiongratuite > free trial plan / gratuit essai offre
blueprint / modèle > template templates / modèle gabarit
guests outsiders external / invités externes extérieur > guest external collaborator / invité externe
approve signoff / valider feuvert > approval approved validation / validation approbation accord
kid kiddo youngster / gosse gamin môme > dependant minor minors child children / mineur mineurs enfant enfants
tooyoung / tropjeune > minimum age / minimum âge
payslip payslips / > payroll
twins triplets / jumeaux triplés > multiple births / multiples gémellaire
beach seaside / plage > abroad foreign country / étranger pays
plane flight / avion > air travel aviation / aérien voyage
petrol / essence > mileage fuel / kilométrique carburant
claimback / fairerembourser > reimbursement reimbursed expenses refund / remboursement remboursé frais
weekend weekends / weekend > saturday sunday saturdays sundays / samedi dimanche samedis dimanches
shares equity / actions > equity shareholding options / actionnariat actions
gym / muscu > wellbeing wellness fitness / forme sport
tellon / > whistleblowing grievance alert
weird strange / bizarre > phishing suspicious security / hameçonnage suspect sécurité
clicked / cliqué > phishing incident security / hameçonnage incident sécurité
password passcode / mdp > credentials password / identifiants passe
owndevice / appareilperso > personal device devices byod / personnel personnels appareil appareils
defective / défectueux > fault faulty defect warranty guarantee malfunction repair / défaut panne garantie conformité vice réparation
add / ajouter > invite invitation add / inviter invitation ajout
dataout / récupérermesdonnées > export download portability / export exporter portabilité
delete wipe / effacer > erasure deletion erased / effacement suppression
undo rollback revert / > restore version history / restaurer historique version
/ bourre > / retard retards ponctualité
healthplan / mutuelle > insurance complementary / complémentaire santé
install / installer > administrator rights software / administrateur droits logiciel
/ maladie malade > / incapacité
login signin / connexion connecter > authentication / authentification
/ réu > / réunion
slacking lazy underperform / fainéant flemmard > performance improvement capability / insuffisance performance
punished warned blame / puni punition > disciplinary sanction warning procedure / disciplinaire sanction avertissement
contract paperwork / contrat > employment agreement signature / contrat signature avenant
gap cv > / parcours
demoted / rétrogradé > demotion duties change / rétrogradation
caregiver elderly / aidant dépendant > caregiver leave dependant / aidant proche congé
miscarried stillborn / faussecouche > miscarriage bereavement pregnancy / grossesse interruption
transition trans gender / genre transgenre > gender identity equality / identité genre
dad daddy paternity / papa paternité > paternity partner parent birth / paternité coparent parent naissance
nap siesta bed / sieste > rest room / repos salle
kettle fridge microwave / bouilloire frigo > kitchen pantry / cuisine tisanerie
heatwave / canicule étouffe > temperature ventilation heat / température chaleur
backache posture ergonomic / dos posture > ergonomic workstation display / ergonomie poste
handover cover / remplaçant > handover substitute deputy replacement / remplacement suppléance passation
secondhand buyout / racheter > purchase equipment leaver / rachat matériel
freebies presents hampers / cadeaux > gifts hospitality register / cadeaux invitations
competitor rivals poach / concurrent concurrence > noncompete restrictive covenant / concurrence clause
invention patent idea / invention brevet > intellectual property ownership / propriété intellectuelle
recording camera cctv filmed / filmé caméras > surveillance monitoring cctv / vidéosurveillance vidéoprotection
webinar helpcenter docs / tuto > documentation guide tutorial / documentation guide tutoriel
rename title / renommer > name edit / nom modifier
workspace / espaces > workspace team / espace équipe
invitee pending / invitation relance > invitation pending resend / invitation renvoyer
frozen suspended account / > suspended locked account / suspendu verrouillé
decline declined bounced / refusée rejetée > payment failed declined card / paiement échec refusée
vatnumber / numérotva > vat exemption / tva exonération
cheaper nonprofit school ngo / asso école > discount nonprofit education / remise associations enseignement
remarks / remarques > harassment sexist inappropriate / harcèlement sexiste agissement propos
flexhours / finirplustôt > flexible core flexitime / plages fixes variables flexible horaires
max / max > maximum ceiling limit capped / maximum plafond plafonné plafonnée limite
slow buffering laggy / lent lente > speed throughput degraded performance / débit lenteur vitesse performance
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const askedWorkPhrases = `
days left = daysleft
holiday left = daysleft
leave left = daysleft
il me reste = ilmereste
me reste t = ilmereste
round the world = roundtheworld
travel the world = roundtheworld
year away = roundtheworld
tour du monde = tourdumonde
own car = owncar
voiture perso = voitureperso
voiture personnelle = voitureperso
propre voiture = voitureperso
work less = fewerhours
fewer hours = fewerhours
less hours = fewerhours
travailler moins = travaillermoins
moins d heures = travaillermoins
new bank = newbank
changed bank = newbank
change my bank = newbank
change bank = newbank
changé de banque = changebanque
changer de banque = changebanque
nouvelle banque = changebanque
new address = newaddress
nouvelle adresse = nouvelleadresse
changé d adresse = nouvelleadresse
micro entreprise = microentreprise
auto entreprise = microentreprise
by mistake = bymistake
par erreur = parerreur
sans le vouloir = parerreur
is it down = isitdown
are you down = isitdown
something up = somethingup
ça rame = carame
who can see = whosees
who can read = whosees
who sees = whosees
qui peut voir = quivoit
qui peut lire = quivoit
qui voit = quivoit
google account = googleaccount
microsoft account = googleaccount
google login = googleaccount
compte google = comptegoogle
compte microsoft = comptegoogle
who changed = whochanged
who edited = whochanged
who deleted = whochanged
qui a modifié = quiamodifie
qui a changé = quiamodifie
qui a supprimé = quiamodifie
free version = freeversion
free plan = freeversion
version gratuite = versiongratuite
remove a user = removeuser
remove a colleague = removeuser
read only = readonly
sign off = signoff
too young = tooyoung
trop jeune = tropjeune
trop jeunes = tropjeune
get reimbursed = claimback
me faire rembourser = fairerembourser
se faire rembourser = fairerembourser
tell on = tellon
own phone = owndevice
own laptop = owndevice
own computer = owndevice
propre téléphone = appareilperso
propre ordi = appareilperso
propre ordinateur = appareilperso
ordi perso = appareilperso
téléphone perso = appareilperso
my data out = dataout
take my data = dataout
get my data = dataout
récupérer mes données = recuperermesdonnees
two step = twofactor
is down = isitdown
goes down = isitdown
went down = isitdown
kick someone out = kickoff
kick them out = kickoff
kick him out = kickoff
de chez moi = teletravail
de chez soi = teletravail
heures en plus = overtime
health plan = healthplan
health cover = healthplan
virer quelqu un = virerutilisateur
retirer quelqu un = virerutilisateur
revenir en arrière = undo
fausse couche = faussecouche
vat number = vatnumber
numéro de tva = numerotva
bosser ailleurs = freelancing
travailler ailleurs = freelancing
work elsewhere = freelancing
work somewhere else = freelancing
finish earlier = flexhours
finish early = flexhours
start later = flexhours
finir plus tôt = finirplustot
finir plus tard = finirplustot
commencer plus tard = finirplustot
commencer plus tôt = finirplustot
wi fi = wifi
`;
