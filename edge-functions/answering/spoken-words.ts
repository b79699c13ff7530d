// Owns the colloquial words for which documents use another one: "kid" for a minor, "pick-up" for a collection, "boss" for a manager.
// English and French, like lexicon-words.ts and everyday-words.ts. Data only. Append new lines at the end: stored vectors refer to a line
// by its number.

export const spokenMeanings = `
child kid son daughter boy girl teenager minor / enfant fils fille garçon gamin gosse ado mineur
husband wife girlfriend boyfriend spouse partner / mari femme conjoint conjointe compagnon copain copine partenaire
passenger accompany companion / passager accompagner accompagnant
dog cat pet pets animal / chien chat animal bête
truck lorry van vehicle cab trailer / camion camionnette fourgon véhicule remorque
crash collision accident / accident collision accrochage
sleep sleeping night overnight / dormir nuit nuitée coucher
vacation holiday leave absence / vacances congé absence
parcel package shipment consignment goods freight cargo / colis envoi expédition marchandise fret
track trace follow locate position / suivre suivi localiser tracer
pickup collection collect / enlèvement collecte retrait ramassage
helpline hotline helpdesk / assistance dépannage
transport carry ship haul move / transporter acheminer
jurisdiction court competent tribunal / juridiction tribunal compétent
quote quotation offer estimate proposal / devis offre proposition
surcharge supplement extra / supplément majoration surcoût
interest late overdue unpaid / intérêt impayé retard
rent rental / loyer
wage salary remuneration earn / salaire rémunération gagner percevoir toucher
payment pay paid payout settle settlement / paiement payer payé versement verser règlement régler
withhold retain deduct keep / retenir retenue garder déduire prélever
private individual particular one / privé particulier individuel
fail failed miss flunk / échec échouer rater raté manquer
repeat retake resit redo / repasser refaire recommencer
lose lost missing forgotten / perdre perdu égaré oublié
meet gather assemble meeting rendezvous / retrouver rassembler rassemblement rendez
provide supply supplier deliver / fournir fournisseur livrer
run manage head lead supervise / diriger gérer responsable encadrer
expensive dear costly / cher coûteux
hurt injured injury wounded / blessé blesser blessure
call phone ring dial / appeler téléphoner joindre contacter
reach contact touch / joindre contacter
ban banned forbid forbidden prohibit prohibited disallow / interdire interdit défense proscrit
compulsory mandatory required obligatory enforced must / obligatoire imposé exigé requis
optional voluntary facultative / facultatif optionnel volontaire
conference meeting / réunion
max maximum largest most biggest limit / maximum maximal plafond limite
min minimum smallest least lowest / minimum minimal
top maximum / maximal maximum
drill exercise rehearsal practice evacuation / exercice entraînement évacuation
headphones earphones earbuds headset / écouteurs casque
driver chauffeur / chauffeur conducteur
forklift truck / chariot élévateur
nanny childcare nursery kindergarten daycare / garderie crèche nourrice
spot space place slot / place créneau
sign-up enrol register join subscribe / inscrire inscription abonner
quit leave resign terminate cancel / quitter partir rompre résilier démissionner rupture
fire sack dismiss layoff terminate / virer licencier renvoyer
boss manager director head chief / patron chef directeur responsable
buddy mate colleague coworker / collègue
money cash funds / argent espèces fonds
cheque check / chèque
deposit bail security guarantee / caution garantie dépôt arrhes
refund reimburse money / rembourser remboursement
free complimentary costless included / gratuit offert inclus compris
included include inclusive comprise contain / compris inclure inclus comprendre
cost price fee charge tariff rate / coût prix tarif coûter montant
discount reduction cheaper off rebate / réduction rabais remise promo ristourne
broken damaged faulty smashed cracked / cassé abîmé endommagé fissuré
stolen robbed burglary theft / volé vol cambriolage
repair fix mend service servicing / réparer dépanner entretien révision
bathroom toilet restroom loo / toilettes wc sanitaires
bin garbage trash rubbish waste refuse / poubelle déchets ordures
flat apartment home unit dwelling / appartement logement
landlord owner lessor / propriétaire bailleur
noise loud party / bruit tapage fête
bring take along carry / apporter emporter amener prendre
wear clothes outfit dress uniform / porter tenue vêtement habillement uniforme
eat food meal lunch snack / manger nourriture repas déjeuner goûter
drink water beverage / boire boisson eau
doctor gp physician medic / médecin docteur toubib
pill drug medicine medication / médicament cachet
sick ill unwell poorly / malade souffrant
pregnant expecting maternity / enceinte maternité grossesse
shut closed close / fermé fermer
open hours opening / ouvert ouvrir ouverture horaire
late delay delayed belated / retard tardif
early beforehand advance ahead prior / avance avant préalable anticipé
soon quick quickly fast / vite rapidement rapide
today present currently now / actuellement maintenant
website site online web / site internet web ligne
username login account / identifiant compte
pin code passcode / code pin
reset restore recover / réinitialiser rétablir récupérer
crash freeze bug error fault / panne bug erreur plantage
update upgrade version / mise version
export download save / exporter télécharger enregistrer
import upload load / importer téléverser charger
attach attachment file / joindre pièce fichier
server datacenter datacentre hosting hosted / serveur hébergement hébergé
certified certification certificate audit / certifié certification certificat audit
encrypted encryption cipher / chiffré chiffrement crypté
leak breach hack / fuite violation piratage
backup copy / sauvegarde copie
privacy gdpr personal data / confidentialité rgpd personnel
trial test demo / essai démonstration
plan package tier subscription / formule forfait offre abonnement
seat licence license user / licence utilisateur place
picture painting art artwork / tableau peinture œuvre art
gun weapon firearm / arme
alcohol beer wine spirits / alcool bière vin
smoke smoking cigarette vape vaping / fumer tabac cigarette vapoter
bike bicycle cycle / vélo bicyclette
bus shuttle coach / bus navette car
lift elevator / ascenseur monte
parking park car garage lot / parking stationner stationnement garer
ticket fare pass admission entry / billet ticket entrée
queue line wait / file attente attendre
speed fast quick kmh / vitesse rapide
weight weigh heavy mass / poids peser lourd masse
height high tall / hauteur haut taille
length long / longueur long
size big large dimension measurement / taille dimension grandeur
age old / âge
colour color / couleur
person contact people / personne interlocuteur
chair chairman chairwoman preside presides / présider présidence président présidente
attend attended present attendee / présent participer assister
absent missing excused apologies / absent excusé
decide decided adopt adopted approved agreed / décider décidé adopter adopté voté approuvé
vote voted ballot / voter vote voix
budget cost amount / budget montant
accident incident injury mishap / accident incident
test exam assessment trial / examen épreuve test
teacher instructor tutor coach / enseignant professeur moniteur prof
lesson class course tuition session / leçon cours séance
beginner novice starter / débutant novice
retire retirement pension / retraite
replace substitute successor stand / remplacer remplaçant succéder
hire recruit employ job vacancy / embaucher recruter recrutement embauche poste
start begin launch commence / débuter commencer démarrer lancer
finish end stop terminate / finir terminer arrêter fin
expire lapse valid validity / expirer valable validité périmé
notice warning period / préavis délai
proof evidence document certificate / preuve justificatif attestation
id identity card passport / identité carte papier passeport
key badge fob card / clé badge
lock locker store / casier consigne vestiaire
luggage bag suitcase baggage / bagage sac valise
stay spend night accommodation lodge / séjour séjourner hébergement loger
shower bathroom wash / douche laver
wifi wireless internet network / wifi réseau internet
hours schedule timetable / horaire planning emploi
weekday working business / ouvrable ouvré semaine
public bank holiday / férié
fee dues contribution membership / cotisation adhésion frais
insurance insured cover covered coverage / assurance assuré couvert couvrir couverture
claim complaint dispute / réclamation litige sinistre
penalty fine sanction late / pénalité amende sanction
rule forbidden allowed regulation / règle règlement interdit autorisé
guest visitor friend / invité visiteur ami
neighbour resident tenant / voisin résident locataire
clean cleaning wash / nettoyer nettoyage propre laver
heating radiator boiler / chauffage radiateur chaudière
power electricity current / courant électricité électrique
tap faucet leak plumbing / robinet fuite plomberie
grant subsidy funding aid / subvention aide financement
tax vat / taxe tva impôt
bonus premium reward / prime bonus récompense
raise increase rise / augmentation hausse augmenter
`;

/** Phrases with one meaning, each with the word that replaces it. */
export const spokenPhrases = `
data protection officer = dpo
protection des données = dpo
multi factor authentication = mfa
pick up = pickup
picked up = pickup
parking ticket = fine
parking tickets = fine
speeding ticket = fine
behind the wheel = driving
at the wheel = driving
au volant = driving
customer service = helpline
customer support = helpline
service client = helpline
service clients = helpline
works of art = painting
day nursery = nursery
sign up = register
look after = care
get in touch = contact
log in = login
set off = departure
run out = expire
fed up = unhappy
half price = discount
moitié prix = discount
en retard = late
tomber en panne = breakdown
en panne = breakdown
hors service = breakdown
out of order = breakdown
`;
