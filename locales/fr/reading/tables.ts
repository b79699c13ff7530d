// Owns the French words of questions over the rows of a table.
import type { TableReading } from "../../reading.ts";

export const tables: TableReading = {
  superlatives: {
    cheapest: /\b(?:moins ch(?:er|ère)s?|(?:meilleur|plus) (?:marché|économiques?))\b/,
    dearest: /\bplus (?:ch(?:er|ère)s?|coûteu(?:x|ses?)|onéreu(?:x|ses?))\b/,
    heaviest: /\bplus lourde?s?\b/,
    lightest: /\b(?:plus légère?s?|moins lourde?s?)\b/,
    fastest: /\bplus (?:vite|rapide(?:ment|s)?)\b/,
    slowest: /\b(?:plus lent(?:e|s|es|ement)?|moins vite)\b/,
    oldest: /\bplus (?:vieux|vieille|anciens?|ancienne?s?|tôt)\b/,
    newest: /\bplus (?:récente?s?|tard)\b/,
    largest:
      /\bplus (?:longue?s?|grande?s?|élevée?s?|hauts?|hautes?|gros(?:se)?s?|forte?s?|puissante?s?)(?!\p{L})/u,
    smallest:
      /\b(?:plus (?:courte?s?|petite?s?|bas(?:se)?s?|faibles?)|moins (?:élevée?|forte?|puissante?)s?)(?!\p{L})/u,
    most: /\b(?:le plus (?:de|d['’])|le plus)(?!\p{L})/u,
    fewest: /\b(?:le moins (?:de|d['’])|le moins)(?!\p{L})/u,
  },
  columns: {
    price: "prix tarif",
    weight: "poids",
    time: "délai durée temps",
    date: "année",
    stock: "stock",
    money: "",
    takings: "recette revenu encaissement",
    size: "taille surface superficie hauteur capacité personnes",
    length: "longueur distance durée heures",
    strength: "force alcool degré puissance",
  },
  dimensions: {
    size: /\bplus (?:grand|petit)e?s?(?!\p{L})/u,
    length: /\bplus (?:longue?|courte?)s?(?!\p{L})/u,
    strength: /\b(?:plus|moins) (?:forte?|faible|puissante?)s?(?!\p{L})/u,
  },
  spending:
    "dépenser dépensé payer payé acheter acheté louer loué verser versé versées encaisser encaissé gagner gagné",
  earning: "encaisser encaissé gagner gagné",
  total: /\b(?:montant|total|somme)\b/,
  general:
    "produit article ligne lignes liste tableau feuille fichier avoir avons vendre nombre montant valeur montrer donner enregistrement catalogue nom coûtent coûte faire fait faits faites lequel laquelle lesquels lesquelles",
  people: {
    counted: "personne personnes gens travaille travaillent",
    named: "personne personnel employé salarié équipe membre nom prénom poste fonction",
  },
  yes: /oui|o|vrai/,
  no: /non|n|faux/,
  month: /mois/,
  year: /ans?|années?/,
  between: /entre/,
  and: /et/,
  to: /à|au|jusqu['’](?:à|au)/,
  below: /moins de|moins d['’]|inférieure?s? à|en[- ]dessous de|au-dessous de/,
  atMost: /au plus|jusqu['’]à|au maximum/,
  above: /plus de|plus d['’]|supérieure?s? à|au[- ]dessus de/,
  atLeast: /au moins|à partir de|au minimum/,
  inMonth: /en|de|d['’]|au mois de|au mois d['’]/,
  inYear: /en|de|pour/,
  thisYear: /\b(?:cette année|de l['’]année)(?!\p{L})/u,
  the: /les/,
  each: /pour chaque|par|chaque|dans chaque/,
  denies: /\b(?:ne|n['’](?=\p{L})|pas|sans)(?!\p{L})/u,
  without: /\b(?:ne|pas|sans|sauf|hors|aucune?s?)\b/,
  outOfStock: /\b(?:en rupture(?: de stock)?|épuisée?s?)(?!\p{L})/u,
  inStock: /\b(?:en stock|disponibles?|restent|reste-t-il)(?!\p{L})/u,
  average: /\b(?:en moyenne|moyenn?e?s?)(?!\p{L})/u,
  sum: /\b(?:au total|confondue?s|réunie?s|totale?s?|totaux|somme|cumul|en tout)(?!\p{L})/u,
  count:
    /\b(?:combien(?: y a-t-il| avons-nous| a-t-on)?(?: de| d['’])?|nombre (?:de|d['’]|total de))(?!\p{L})/u,
  lists: /\b(?:quel(?:le)?s?|lister?|liste|montre[rz]?)\b/,
  isComputed: /\b(?:totale?s?|totaux|somme|moyenne|le nombre de)(?!\p{L})/u,
  howMuch: /combien/,
  howMuchOrMany: /combien/,
  howHeavy: /combien/,
  weighs: /pèsent?/,
  asksWeight: /pèsent?/,
  priceWords: /co[uû]te(?:nt|r)?|vaut|valent|prix|tarifs?|coûts?/,
  asksPrice:
    /combien (?:va |vont |ça )?(?:co[uû]te(?:r|nt)?|vaut|valent)|(?:quel(?:s)? (?:est|sont) |c'est quoi )?(?:les? |du )?(?:prix|tarifs?|coûts?) (?:de|du|d'|des|pour) /,
  asksCell: /quel(?:le)?s? |qui |où |quand |combien pèse|c'est quoi /,
  measure: {
    howMany: /combien (?:de |d['’])|nombre (?:de |d['’])/,
    units:
      /secondes?|minutes?|heures?|jours?|semaines?|mois|ans?|années?|temps|euros?|dollars?|kilomètres?|caractères?/,
  },
};
