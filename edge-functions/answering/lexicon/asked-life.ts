// Owns what people ask in spoken words about homes, schools, shops and everyday accidents, with the words of the rule. Data only; fields.ts
// describes the format of a line. Words without a space such as "dropoff" stand for a phrase of askedLifePhrases below.

export const askedLife = `
hang stick / accrocher afficher scotcher punaise > noticeboard nails adhesive hooks drill walls / panneau affichage clou clous percer
vouch / portergarant > guarantor guarantee referee reference / garant caution cautionnement
barf vomited / gerbé gerber > sickness diarrhoea vomiting / vomissement vomissements gastro diarrhée
skint / fauchée raide > arrears instalments hardship difficulty / impayé échelonnement délai difficulté
wee pee / pipi pisser > toilets toilet lavatory / toilettes sanitaires
blackout outage / disjoncté > lighting supply power electricity / éclairage panne courant électricité
hilly steep uphill / grimpe pentu pentue montée > ascent elevation gradient climb metres / dénivelé pente
faints fainted faint / évanouit évanoui > unconscious consciousness collapse recovery / malaise inconscient connaissance
kicked chucked booted / radié > exclusion expelled excluded suspended / exclusion exclu radiation renvoi
rave racket / bringue boucan tapage > noise quiet disturbance / bruit calme silence nuisance
chilly nippy / pèle glacial > heating radiator temperature / chauffage radiateur température
roasting stuffy stifling / étouffe étouffant > ventilation conditioning temperature / climatisation aération température
dripping / coule inondé goutte > leak leaks water plumber / fuite dégât eaux plombier
stuck trapped / coincé coincée > release callout emergency rescue / astreinte dépannage urgence
conked conks > fault defective breakdown repair / panne défaut réparation
speeding / pv prune > fine fines penalty / amende contravention
tipsy / pompette éméché > alcohol intoxicated / alcool ébriété
munch nibble picnic / grignoter gamelle piquenique > meal food lunch refreshments eat / repas nourriture restauration manger
bits belongings / bazar bidules > equipment belongings property items / matériel équipement effets affaires
noshow forgot / zappé loupé lapin oublié > unattended missed attend late / manqué honoré manquée prévenir
putoff / décaler repousser > postpone rebook reschedule / reporter report modification déplacer
nan granny gran grandad / mamie pépé > grandparent relative family adult / grand proche famille
behalf / mandater > proxy authorised authority written / procuration mandataire pouvoir autorisation
repaint redecorate / tapisser > decoration decorate paint alterations / peinture papier travaux
wall knockdown / mur casser démolir > partition structural bearing alterations / cloison porteuse porteur abattre
/ papelard > certificate form document / certificat justificatif attestation formulaire
roundup / roundup > weedkiller herbicide glyphosate pesticide / désherbant herbicide glyphosate
spotify podcast / podcast musique > headphones earphones music / écouteurs oreillettes musique
airbnb / airbnb > short letting sublet holiday / courte durée saisonnière location sous
whatsapp messenger / whatsapp > message messages group / messagerie groupe message
amazon dhl / amazon colissimo > parcel parcels courier delivery / colis livraison transporteur
netflix streaming / netflix télé > television licence / téléviseur redevance télévision
headache migraine / migraine > paracetamol medicine medicines painkiller / médicament médicaments paracétamol
depressed anxious lonely / déprimé angoissé moral déprime > welfare counselling counsellor adviser support / soutien psychologue écoute
annoyed angry unhappy / énervé énervée mécontent > complaint complain complaints / réclamation plainte
malpoli yelled / malpoli engueulé > behaviour conduct complaint / comportement réclamation
/ enfermedehors > clé serrurier badge double
upstairs downstairs nextdoor / palier > neighbour resident / voisin voisins résident
sleepover stayover / héberger dormir > guest guests overnight visitors / invité invités nuitée visiteur
beginner newbie / débutant commence > beginners beginner introductory taster / débutants débutant initiation
suncream sunburn > sun cream sunscreen / solaire crème soleil
shorts bikini trunks / bermuda bikini > swimwear swimming costume / maillot bain
beforework afterwork / avantletravail > early late evening opening / matin soir nocturne ouverture
rowdy vandal / bagarre > behaviour ban removed / comportement exclusion
contactless / sansfil > card contactless / carte contact
switch / troquer > exchange transfer swap / échange permutation mutation
giveup packin / lâcher > withdraw withdrawal notice terminate / résilier désister abandon préavis
smashed shattered / pété pétée > damage damaged broken breakage / casse dégât endommagé
torn ripped / troué déchiré > worn replaced replacement / usure usé remplacement
nicked robbed / chourave > theft police stolen / vol plainte police
boots goggles mask gloves / masque gants > protective equipment personal / protection équipement
vape vaping / vapoter vapotage > smoking smoke cigarettes / fumer tabac cigarette
lift ride / emmener covoit > transport shuttle minibus / navette transport covoiturage
stroller buggy pram / poussette landau > pushchair pushchairs corridors hallway / couloirs hall parties
telly speakers / sono > music noise volume / musique volume sonore
bedtime curfew > quiet night hours / calme nuit heures
walkhome / rentrerseul > alone consent permission written / seul autorisation écrite
dinners packedlunch cantine > meal lunch meals / repas déjeuner
bang bump / cogné > head injury accident first / tête blessure accident
poorly unwell / patraque > ill absence sickness absent / absence maladie malade
detention / retenue colle > detention sanction / retenue sanction
dropoff / amener > deliver delivery drop / livraison livrer dépose
cardeclined / carterefusee > payment failed declined / paiement rejet rejeté
runninglate > late arrive delay / retard retardataire minutes
complainabout > complaint complaints / réclamation réclamations
outofdate expired / périmé > expiry validity valid / validité valable
leaveearly / partirplustot > early permission leave / anticipé autorisation départ
wakeup overslept / réveil > late lateness / retard
dresscode > wear clothing shirt trousers uniform / tenue chemise pantalon vêtements
choirmaster / chefdechoeur > conductor musical director choir / chef direction chœur
undo unsend / annuler > recalled undone withdrawn / annulé rappelé
offline > unavailability downtime outage availability / indisponibilité panne
hosted hosting > hosted centre data servers / hébergé hébergement serveurs
forever > closure permanently ceases / fermeture cessation définitive
viewing / visiter > survey visit surveyor / visite repérage devis
celebrate / fêter anniv > birthday party celebration / anniversaire fête
snoop spy / espionner > access privacy confidential / accès confidentialité confidentiel
twice / doublon > duplicates merged duplicate / doublons fusionnés
/ ébréché fêlé > dommage dégât avarie
bingo quiz / loto belote > games entertainment activities / animations jeux activités
barber / barbier > hairdresser / coiffeur
typo / coquille > correct error correction / rectification correction erreur
/ geler > suspend pause suspension / suspension pause
clamp clamped towed / fourrière > removed towed parking / enlevé stationnement
speak / parler > language languages / langue langues
dj band / dj > music noise amplification / musique sonorisation bruit
poo mess / crotte > fouling droppings / déjections crottes
sue / poursuivre > liability liable responsibility / responsabilité responsable
shortest / moindre > minimum least / minimum
recommend / parrainer > referral referred bonus / parrainage cooptation prime
ontime / atemps > late overdue fails failed deadline due / retard échéance délai relance
textbook / manuel > books materials textbook / manuel supports livre
clue clues / indice indices > hint hints help / indice aide
freak meltdown claustrophobic / flipper paniquer claustrophobe > panic panics emergency / panique malaise
workout / muscu muscler > gym exercise training sport / sport effort
nose bellybutton / nez nombril > nostril navel / narine nombril
infected oozing / infecté suinte > pus swelling redness doctor / gonflement rougeur médecin fièvre
veggie vegetarian / végétarien végé > rennet gelatine animal meat / présure animale gélatine viande
hypertension / hypertension > pressure hypertension / tension
flipflops tongs / claquettes tongs > sandals footwear / sandales
bedroom overnight / chambre dormir > accommodation lodging overnight / loger logement héberger hébergement
girlfriend boyfriend mate / copine copain > companion guest / accompagnant
leftbehind / > lost property found forgotten / trouvés oubliés perdus
clean tidy / ranger > sweep cleaning clean rubbish / balayer ménage nettoyage
trimmer drill mower chainsaw / perceuse tondeuse tronçonneuse > tool tools machine / outil outillage
sitdown banquet / banquet > seated tables / assis tables
nibbled / grignote > pests diseases insects / ravageurs parasites maladies
`;

export const askedLifePhrases = `
on time = ontime
à temps = atemps
chef de choeur = chefdechoeur
choir leader = choirmaster
porter garant = portergarant
porte garant = portergarant
instead of me = behalf
knock down = knockdown
knock through = knockdown
lock myself out = lockedout
locked myself out = lockedout
enfermé dehors = enfermedehors
enfermée dehors = enfermedehors
next door = nextdoor
stays over = stayover
before work = beforework
after work = afterwork
avant le travail = avantletravail
avant le boulot = avantletravail
après le boulot = avantletravail
give up = giveup
pack it in = packin
walk home = walkhome
go home alone = walkhome
rentrer seul = rentrerseul
rentrer tout seul = rentrerseul
packed lunch = packedlunch
stops working = defective
card declined = cardeclined
card was declined = cardeclined
carte refusée = carterefusee
stuck in traffic = runninglate
complain about = complainabout
out of date = outofdate
leave early = leaveearly
partir plus tôt = partirplustot
left my = leftbehind
left behind = leftbehind
sit down dinner = sitdown
sit down meal = sitdown
belly button = bellybutton
work out = workout
`;
