// Owns a coarse list of frequent French words, which say little about a text, without the stop words. Data only.
import type { Reading } from "../../reading.ts";

export const frequent: Reading["frequent"] = {
  commonest: `
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
`,
  common: `
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
`,
};
