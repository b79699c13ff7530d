// Owns the everyday words of work, pay, leave, hiring and people. Data only; fields.ts describes the format of a line.

export const work = `
payday payslip / paie paye > salary wage remuneration transferred paid / salaire rémunération versé viré virement
wages salary paycheck / salaire paie paye > remuneration earnings compensation transferred / rémunération traitement versé
earn / gagner toucher > salary wage remuneration rate hourly gross net / salaire rémunération brut net taux horaire
dosh quid bucks dough cash / thune fric pognon sous blé oseille > money amount price cost EUR euros / argent montant prix coût
boss gaffer superior / patron patronne chef cheffe boss taulier > manager supervisor head director lead leads responsible foreman chair president founder ceo / responsable directeur directrice gérant supérieur hiérarchique encadrant président présidente
bosses management / direction patrons > managers directors board / dirigeants responsables
job gig / boulot taf job bosser taffer turbin > position post role employment assignment mission shift / poste emploi travail mission
colleague coworker workmate teammate mate / collègue > staff employee team member personnel / salarié employé personnel membre
staff workers crew workforce / personnel employés
worker employee / salarié employé ouvrier travailleur
sack sacked fire fired axed canned booted / virer viré licencier > dismiss dismissal terminate termination / licenciement licencier renvoi résiliation rupture
quit leave resign / démissionner quitter partir > resignation termination notice departure end / démission préavis départ rupture résiliation
/ démissionner partir > / fin
notice / préavis
layoff redundancy redundant / licenciement économique suppression
retire retiring pensioner / retraité retraite > pension retirement / retraite
hire hired recruit recruiting / embaucher engager recruter recrutement embauche
newbie newcomer joiner starter rookie / nouveau arrivant débutant > new hired onboarding induction probation / embauché intégration accueil
onboarding induction / intégration accueil parrainage
intern internship trainee placement / stage stagiaire
apprentice apprenticeship / apprenti apprentissage alternance alternant
temp temporary agency interim / intérim intérimaire temporaire saisonnier
seasonal / saisonnier
freelance freelancer contractor / indépendant prestataire freelance
student / étudiant élève
holiday holidays vacation leave / vacances congés congé
leave absence / congé absence
dayoff / congé repos rtt
sickie skive bunk / sécher > absence absent unjustified sick leave / absence injustifiée maladie
sick ill poorly rough unwell flu cold / malade souffrant patraque grippe gastro > illness sickness incapacity unfit absence medical / maladie incapacité arrêt médical absence
sicknote > sick illness sickness note medical certificate doctor / maladie certificat médical attestation arrêt
submit submitted / remettre déposer soumettre transmettre > submitted send sent report reported hand / remis déposé transmis envoyer
baby newborn pregnant expecting / bébé enceinte grossesse naissance > maternity paternity birth parental / maternité paternité naissance parental
dad father daddy / papa père > paternity parental parent / paternité parental parent
mum mom mother mama / maman mère > maternity parental parent / maternité parental parent
wedding married hitched / mariage marier pacs pacser > marriage special leave / familial
funeral died death bereaved / enterrement mort décès deuil obsèques > bereavement death compassionate / décès obsèques familial
carry / reporter report
entitled entitlement / droit
receive / recevoir toucher > entitled granted receives / droit accordé reçoit
overtime / supplémentaires supplémentaire
night nights nightshift / nuit nocturne
shift roster rota duty / poste quart créneau mission tour
rota roster schedule timetable plan / planning horaire roulement calendrier
swap switch trade / échanger permuter changer troquer
break lunch lunchtime pause / pause déjeuner > break rest meal / pause repos repas coupure
rest / repos
clock punch / pointer pointage badger pointeuse
flexitime flexible / flexible variable aménagé
parttime / partiel
fulltime / plein complet
remote telework homeoffice wfh / télétravail distance
desk workstation / bureau poste
commute commuting / trajet domicile
bonus bonuses perk reward / prime bonus gratification récompense
perks benefits goodies / avantages avantage
raise rise payrise / augmentation hausse > increase salary review revision / augmentation révision revalorisation
advance upfront / acompte avance
tip tips gratuity gratuities / pourboire pourboires
thirteenth / treizième
pension / retraite
sharing / intéressement participation
lunchvoucher / > meal voucher vouchers / titre titres ticket tickets restaurant
union / syndicat syndical
rep representative / délégué représentant
strike / grève
complaint grievance moan gripe whinge / plainte plaindre râler réclamation > complaint grievance concern / réclamation plainte signalement
bully bullied bullying harass harassed / harceler harcèlement > harassment conduct violence concern / harcèlement comportement déplacé
discrimination racist racism / discrimination racisme raciste
drunk boozed tipsy hungover / bourré saoul ivre > alcohol influence intoxicated sober / alcool ivresse emprise ébriété
stoned high weed drugs dope / drogue drogué beuh > drugs narcotics substances / stupéfiants drogues
training course workshop class / formation stage cours atelier
learn learning / apprendre étudier > training course education / formation cours
promoted promotion / promotion promu avancement
appraisal review feedback / entretien évaluation bilan
cv resume / cv curriculum candidature
interview / entretien
apply applying candidate / postuler candidater > application apply candidates recruitment / candidature recrutement dossier
vacancy opening openings / offre poste pourvoir recrutement
salaryband grade pay scale / grille échelon barème
badge pass / badge
uniform outfit clothes clothing kit dress / tenue uniforme fringues habits > wear clothing uniform shirt supplied / tenue uniforme polo porter fourni
shoes boots footwear sneakers / chaussures baskets godasses pompes > shoes footwear safety / chaussures chaussure
jewellery jewelry ring rings piercing piercings tattoo tattoos / bijou bijoux bague boucle piercing tatouage > appearance jewellery / tenue apparence
gloves goggles mask glasses / gants lunettes masque > protective equipment protection / protection équipement epi
helmet hardhat / casque
trial probation probationary / essai probatoire probation
contract / contrat
permanent / cdi indéterminée
fixed / cdd déterminée
absence absent away / absence absent empêchement empêché
substitute replacement standin / remplaçant remplacement remplacer suppléant suppléer
deputy / adjoint suppléant
handover / passation relève
volunteer volunteering volunteers / bénévole bénévoles bénévolat
expenses / frais
reimburse reimbursed refund refunded / rembourser remboursé remboursement > reimbursed reimbursement covered compensated / remboursé remboursement indemnisé prise charge
mileage / kilométrique kilomètres
warned warning reprimand / avertissement blâme sanction > warning disciplinary sanction measure / avertissement sanction disciplinaire
discipline disciplinary / disciplinaire discipline sanction
confidentiality nda / confidentialité secret
whistleblower whistleblowing anonymous anonymously / lanceur anonyme anonymement alerte signalement
late lateness tardy / retard > late delay lateness punctual / retard ponctualité
finish end knockoff / finir terminer fin > end ends leaves closes finishes / fin termine jusque
begin start commence / commencer débuter démarrer embaucher > start begin opens / début commence prise
tired exhausted burnout stress stressed / fatigué crevé épuisé stress > rest fatigue stress workload / repos fatigue charge
checkup / visite
injured hurt injury accident / blessé blessure accident > accident injury first aid report / accident blessure secours registre
charge responsible handle handles deal deals / occuper gérer charge > responsible manager contact owner lead / responsable chargé gestion référent
decide decides approve greenlight / décider valider accepter > approve approval authorise decision sign / valider accord approuver autoriser signature
sign signature / signer signature signé
ceo / pdg dg
owner / propriétaire
accountant bookkeeper accounting accounts / comptable comptabilité compta
lawyer solicitor attorney / avocat juriste
secretary assistant / secrétaire assistant
receptionist reception frontdesk / accueil réception
janitor caretaker concierge / gardien concierge
cleaner / nettoyage ménage
guard bouncer security / vigile gardien sécurité
mechanic technician engineer fitter / mécanicien technicien mécano réparateur
cook chef / cuisinier cuistot
waiter waitress server / serveur serveuse
driver / chauffeur conducteur
teacher trainer coach instructor / prof professeur formateur moniteur enseignant entraîneur animateur
nurse / infirmier infirmière
doctor doc gp physician / médecin docteur toubib doc
veterinarian veterinary / vétérinaire véto
policeman cop cops police / police flic flics gendarme > police authorities report / police gendarmerie plainte
plumber / plombier
electrician / électricien
builder contractor / maçon entrepreneur artisan
neighbour neighbor nextdoor / voisin voisine
tenant renter lodger / locataire
landlord landlady / propriétaire bailleur proprio
customer client shopper / client clients cliente
member subscriber / adhérent membre abonné
visitor guest / visiteur invité
organiser organizer organisers / organisateur organisatrice
supplier vendor / fournisseur
partner spouse husband wife missus / conjoint mari femme époux épouse partenaire compagnon compagne > family spouse partner / conjoint famille
family relative relatives / famille proche proches
friend mate buddy pal / ami copain pote > guest visitor friend companion accompany passenger / invité accompagnant ami passager personne
seniority tenure / ancienneté
cse / comité
jury juror / juré
accrue accrual earned / acquérir acquis acquisition
expel expulsion exclude exclusion / exclure exclusion expulsion radiation
proxy / procuration pouvoir
payrise raise / augmentation revalorisation
`;

export const workPhrases = `
pay day = payday
get paid = payday
gets paid = payday
est on paye = payday
on est paye = payday
je suis paye = payday
day off = leave
days off = leave
jour de repos = repos
jours de repos = repos
knock off = knockoff
clock off = knockoff
sick note = sicknote
sick notes = sicknote
fit note = sicknote
doctors note = sicknote
pay slip = payslip
pay slips = payslip
fiche de paie = payslip
bulletin de paie = payslip
bulletin de salaire = payslip
part time = parttime
temps partiel = parttime
full time = fulltime
temps plein = fulltime
temps complet = fulltime
pay rise = payrise
pay rises = payrise
lunch voucher = lunchvoucher
lunch vouchers = lunchvoucher
can t come = absence
cannot come = absence
not coming = absence
pas venir = absence
peux plus venir = absence
hand in = submit
handed in = submit
give notice = resign
hand my notice = resign
stand in = standin
fill in for = substitute
in charge = responsible
coup de main = aide
heures sup = overtime
heure supplémentaire = overtime
night shift = nightshift
week end = weekend
front desk = reception
lay off = layoff
laid off = layoff
letting go = dismiss
let go = dismiss
check up = checkup
check ups = checkup
me barrer = quit
se barrer = quit
me casser = quit
me tirer = quit
works council = cse
comite social = cse
on call = standby
`;
