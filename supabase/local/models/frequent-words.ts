// Owns a coarse idea of which English and French words occur everywhere and so tell little. Data only: two tiers each,
// stop words left out; what is in no tier counts as rare.
import { stem, words } from "../../../edge-functions/answering/words.ts";

const commonest = `
time people way year day thing man world life part number work case point place group problem fact hand week company
high small large big long great little old new good right different early important public bad able last next first
second third one two three four five six seven eight nine ten hundred thousand use find give tell call try ask need
feel become leave put mean keep let begin seem help show hear play run move live believe bring happen write sit stand
lose pay meet include continue set learn change lead understand watch follow stop create speak read spend grow open
walk win offer remember consider appear buy send stay fall cut reach decide return explain hope develop carry receive
agree make take get go come see know think look want say made taken given done used using much many well even still
also back now then another around however always often never sometimes really quite already almost enough far near
less least result effect present obtain form general certain possible common total main various particular similar
simple type kind level order line end side example name question answer value amount range size section figure table
note base require provide allow determine describe discuss compare apply indicate suggest increase decrease reduce
cause involve follow concern relate depend contain refer
temps personne gens homme femme monde vie partie nombre travail cas point lieu place groupe probleme fait main semaine
annee an jour mois fois chose facon maniere haut petit grand gros long vieux nouveau nouvel nouvelle bon bonne mauvais
different important public capable dernier prochain premier deuxieme second troisieme deux trois quatre cinq six sept
huit neuf dix cent mille utiliser trouver donner demander essayer sentir devenir laisser mettre garder commencer
sembler aider montrer entendre jouer courir vivre croire amener arriver ecrire tenir perdre payer inclure continuer
apprendre changer comprendre regarder suivre arreter creer parler lire ouvrir gagner offrir rappeler considerer
acheter envoyer rester tomber atteindre decider retourner expliquer esperer porter recevoir prendre venir aller voir
savoir penser vouloir fait pris donne utilise beaucoup bien toujours souvent jamais parfois vraiment deja presque
assez loin pres moins resultat effet present forme general certain possible commun total principal divers particulier
semblable simple type genre niveau ordre ligne fin cote exemple nom question reponse valeur quantite taille section
figure tableau note base exiger fournir permettre determiner decrire comparer appliquer indiquer augmenter diminuer
reduire causer concerner dependre contenir
`;

const common = `
room mother area money story month lot book eye job word business issue head house service friend father power hour
game member law car city community president team minute idea kid body information nothing ago social history party
morning reason research girl guy moment teacher education foot boy age policy music market sense class plan interest
view food land action decision nature process subject position field role center language model account event term
control person country student family school government computer web page site file user list code document customer
product price cost email address date phone report detail item option version support online access click link search
message text image start default key check contact available required current specific additional existing complete
full free low short wide deep strong clear sure true false real local major minor recent final single double half
whole percent standard normal special basic average maximum minimum upper lower left top bottom front middle
condition solution theory experiment material design structure property function operation application relation unit
volume weight length width height speed distance system program data method state study analysis test paper measure
observe calculate rate young sell pass raise kill build hold cover catch draw choose produce support hit eat break
force reason kind thank please easy hard quick slow several whether within along across behind beyond toward
chambre mere argent histoire livre oeil mot affaire tete maison service ami pere pouvoir heure jeu membre loi voiture
ville communaute president equipe minute idee enfant corps information rien social fete matin raison recherche fille
garcon moment professeur education pied age politique musique marche sens classe plan interet vue nourriture terre
action decision nature processus sujet position champ role centre langue modele compte evenement terme controle pays
etudiant famille ecole gouvernement ordinateur page site fichier utilisateur liste code document client produit prix
cout adresse date telephone rapport detail element option version aide acces lien message texte image debut defaut cle
contact disponible requis actuel specifique supplementaire existant complet plein libre bas court large profond fort
clair vrai faux reel local majeur mineur recent final seul double moitie entier pourcent standard normal special
moyenne maximum minimum superieur inferieur gauche droite condition solution theorie experience matiere structure
propriete fonction operation application relation unite volume poids longueur largeur hauteur vitesse distance systeme
programme donnees methode etat etude analyse essai mesure jeune vendre passer construire choisir produire merci facile
difficile rapide lent plusieurs
`;

const commonestStems = new Set(words(commonest).map(stem));
const commonStems = new Set(words(common).map(stem));

/** How telling a stem is, 0 to 1; long words and numbers are rarer in any language and subject. */
export function telling(root: string): number {
  if (commonestStems.has(root)) return 0.5;
  if (commonStems.has(root)) return 0.75;
  return /\d/.test(root) ? 1 : Math.min(1, 0.4 + 0.1 * root.length);
}
