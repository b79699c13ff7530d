// Owns the patterns of French questions, and of the sentences that answer them.
import type { Reading } from "../../reading.ts";

export const asks: Reading["asks"] = {
  questionWords: "quel quelle quels quelles quand qui que quoi comment combien pourquoi ou",
  glue: "le la les l un une des de du d et ou a au aux en est sont on je nous vous se s",
  verbs: "trouver savoir voir donner aller obtenir passer derouler tenir prendre durer mettre",
  care: "occuper responsable gerer",
  talk: `
truc chose machin quelque quelqu personne monde rien encore deja maintenant vraiment juste simplement exactement
normalement regarder voir savoir connaitre trouver prendre donner aller venir passer rester essayer vouloir veux veut
voudrais aimer penser croire sembler sentir servir sert bien mal gens mec coup fois bout genre sinon svp question
demander demande dire dis dit possible possibilite besoin souci ici moi toi soi tout vient viens va vais peux puis pouvons pourrais pourrait bonjour
merci crois pense sais sait idee faire faut suffit
etais etions etiez serai seras serons serez seront serais serions seriez seraient etant avais avait aviez avaient aurai aura
aurons aurez auront aurais aurait aurions auriez ayant fais faisons faites faisais faisait ferai fera ferons feront ferais
ferait allons irai ira iront irais irait aille allais allait pouvons pouvais pouvait pourrai pourra pourrons pourrez pourront
pourrais pourrait pourrions pourriez puisse pouvoir devons devez devais devait devrai devra devrez devrais devrait
devrions devriez voulons voulez veulent voulais voulait voudrait voudrions fallait faudra faudrait falloir savez savent
saurai venez viennent prends prend prenez prennent disent vois voit voyez envie impossible facon toujours beaucoup
oui non hein bah ben euh stp salut chacun lequel laquelle lesquels jusqu jusque parmi selon malgre
`,
  joins:
    /,? et (?=(?:quand|qui|où|combien|comment|pourquoi|quel(?:le)?s?|est-ce|jusqu['’]|à qui|à quelle|dans quel(?:le)?|peut-on|faut-il|c['’]est|on peut|on doit)(?!\p{L}))/u,
  measured:
    /\bcombien de temps\b|\bjusqu['’]à (?:quand|combien|quelle heure)\b|\bquel(?:le)? (?:jour|date|heure)\b|(?<!\p{L})à partir de (?:quel(?:le)?s?|combien|quand)\b|\bau-delà de (?:quel(?:le)?s?|combien)\b/u,
  date: /\bquel(?:le)?s? (?:jour|date|mois|année|heure)(?:\b|s\b(?! de\b| d['’]))|\bdate limite\b|\bau plus tard\b/,
  clock: /\bquelle heure\b|\bhoraires? d['’]ouverture\b/,
  length: /\blongueur\b/,
  attributeOf: /quel(?:le)?s? (?:est|sont|était|étaient) (?:le |la |les |l['’]|votre |vos |notre |nos )?/,
  of: /(?:de|du|des|pour|d['’])/,
  phone:
    /\bnuméros?\b.{0,20}\b(?:fax|télécopieur)\b|\bquel est .{0,40}\b(?:fax|télécopieur)\b|\bnuméros?\b.{0,20}\b(?:téléphone|portable|appeler|joindre)\b|\b(?:j['’]appelle|on appelle) qui\b|\bqui (?:dois-je |faut-il |doit-on |on |j['’])?appel(?:er|le)\b|\bquel(?:le)? est .{0,40}\btéléphone\b|\bquel(?: est)?(?: le)? numéro (?:de|du|des|pour|d['’])|\bquel est (?:son|leur|votre) numéro\b/,
  email: /\bquel(?:le)?s? .{0,40}\b(?:e-?mail|courriel|adresse (?:mail|électronique))\b/,
  howOften: /\b(?:à quelle fréquence|tous les combien)\b|\bcombien de fois (?:par|chaque)\b/,
  howLong:
    /\bcombien de temps\b|\bpendant combien\b|\bdurée\b|\bquel(?:le)? (?:est le |est la )?(?:délai|durée|préavis)|(?:sous|dans|après) combien de \w+/,
  howMuch:
    /\bcombien (?:coûte|coute|vaut|reçoit|gagne|paie|ça)|(?<!\p{L})(?:c['’]est|ça (?:coûte|coute|fait|vaut)|ça va (?:me |nous )?(?:coûter|couter|faire)) combien\b|\b(?:quel(?:le)?s?|c['’]est quoi) (?:est |sont )?(?:le |la |les |l['’])?(?:prix|montant|valeur|plafond|part|tarif|taux|coût|salaire|loyer|caution|amende|cotisation|indemnité|prime|frais|budget|rabais|remise)/u,
  quantity:
    /^(?!.*\btailles?\b).*\b(?:max(?:imale?|i)|min(?:imale?|i))\b|\bquel(?:le)?s? (?:est |sont )?(?:le |la |les |l['’])?(?:température|poids|hauteur|longueur|largeur|surface|puissance|distance|vitesse|pression|épaisseur|pourcentage|acompte|franchise|réduction|pénalité|garantie)\b|^\W*(?:poids|hauteur|remise|réduction|frais|plafond|pénalité|supplément|indemnité|prime)\b/,
  howMany: /\bcombien\b|\bquel(?:le)? (?:est |sont )?(?:le |la |les )?(?:nombre|numéro)/,
  when: /\bquand\b/,
  who: /(?<!\bce )\bqui\b(?! (?:est-ce que|paie|paye|prend en charge|garde|a droit|peut (?!m['’]|nous |aider)\p{L}+|peuvent|est (?:éligible|concernée?|couverte?|admise?)|sont)(?!\p{L}))|\bà qui\b|\bauprès de qui\b/u,
  where: /\boù\b|\bdans quel(?:le)? (?:ville|pays|lieu)\b/,
  howTo: /\bcomment\b|\bque (?:faire|dois-je|faut-il)\b/,
  yesNo:
    /^\W*(?:est-ce|peut-on|puis-je|y a-t-il|faut-il|a-t-on|dois-je|doit-on|avons-nous|peuvent-ils)\b|^\W*(?:(?:les?|la|l['’]|une?|des|mon|ma|mes|notre|nos|votre|vos|cet?|cette|ces) ?\p{L}[^?.]*?)?\p{L}+-(?:t-)?(?:on|il|elle|ils|elles|je|nous|vous)\b/u,
  exists: /^\W*(?:(?:est-ce qu['’])?il y a|y a[- ]t[- ]il|est-ce que vous|vous|\p{L}+ez-vous)(?!\p{L})/u,
  knows: /(?<!\p{L})(?:sais|sait|savez|savoir|dis|dites|dire|idée)(?!\p{L})/u,
  defines:
    /^\W*(?:c['’]est quoi|qu['’]est[- ]ce que(?: c['’]est(?: que)?)?|qu['’]est[- ]ce qu['’]|que (?:signifie|veut dire)|définition (?:de|du|d['’]))(?=(?:\s*\S+){1,4}\W*$)|(?:c['’]est quoi|ça veut dire quoi|c['’]est[- ]à[- ]dire)\W*$/u,
  age: /(?<!\p{L})quel âge(?!\p{L})/u,
  money:
    /\bcombien (?:gagne(?:nt)?|touche(?:nt)?|co[uû]te(?:nt)?|valent)\b|(?<!\p{L})(?:c['’]est|(?:ça|cela) (?:co[uû]te|vaut)|ça va (?:me |nous )?co[uû]ter) combien\b|\bcombien (?:ça|cela|c['’]est)(?: co[uû]te| vaut)?(?!\p{L})/u,
  permission:
    /(?<!\p{L})(?:on a le droit|ai-je le droit|j['’]ai le droit|peut-on|puis-je|peut-il|pouvons-nous|on peut|je peux|dois-je|doit-on|faut-il|il faut|on doit|je dois)(?!\p{L})|\b(?:autorisé|permis|interdit|obligatoire)e?s?\b/u,
  fax: /fax|télécopie(?:ur)?/,
  end: {
    asked:
      /(?:se )?termine(?:nt)?|finit|finissent|expirent?|prend fin|prennent fin|fin|échéance|jusqu['’](?:à )?quand/,
    told: /fin\p{L}*|termin\p{L}+|expir\p{L}+|échéance|jusqu['’]\p{L}*|au|clôtur\p{L}+|dure|durée|ferm\p{L}+|avant|au plus tard|limite|sous|entre/u,
  },
  predecessor: {
    asked: /avant/,
    told: /prédécesseure?s?|succèd\p{L}+|succédé|remplac\p{L}+|ancien(?:ne)?|précédente?|jusqu['’]\p{L}*/u,
  },
  periods: [
    /(?:par|de l['’]|chaque) ?heure|(?:taux|tarif|salaire) horaire/,
    /quotidien(?:ne)?s?|journali(?:er|ère)s?|(?:par|chaque) jour|tous les jours/,
    /hebdomadaires?|(?:par|chaque) semaine|toutes les semaines/,
    /mensuel(?:le)?s?|(?:par|chaque) mois|tous les mois/,
    /trimestriel(?:le)?s?|(?:par|chaque) trimestre/,
    /annuel(?:le)?s?|(?:par|chaque) an(?:née)?|tous les ans/,
  ],
  answers: {
    definitions:
      /(?:est|sont) (?:une?|le|la|les|l['’]|des)|permet(?:tent)?|désignen?t?|signifie|consiste|correspond|regroupe/u,
    rules:
      /(?:interdi|autoris|permi|défend|proscri|prohib|tolér|admis|accept|exig|obligat|requis|dispens|réservé|accord|nécessaire)\p{L}*|uniquement|exclusivement|seul(?:e|s|es)?|doi(?:t|vent)|peu(?:t|vent)|jamais|gratuit\p{L}*|possible|aucun\p{L}*|pas/u,
    atMost: /jusqu['’]à|au plus|(?:pas|jamais|sans) dépasser|moins de|inférieure?s? à|sous|maximum(?: de)?/,
    moreThan: /plus de|supérieure?s? à|au-delà de|au moins|à partir de|dès|minimum(?: de)?/,
    referrals:
      /(?:merci de |veuillez )?(?:voir|voyez|lire|lisez|consulter|consultez|se (?:référer|reporter) à|reportez-vous|référez-vous|retrouve[rz]|pour (?:en savoir plus|plus)|plus (?:d['’]informations?|de détails|de renseignements))/,
    withheld:
      /(?:est|sont|reste(?:nt)?) (?:strictement )?(?:personnel(?:le)?s?|secr(?:et|ète)s?|confidentiel(?:le)?s?|privée?s?|connue?s? (?:du|de|des) seule?s?)/,
    distances: /à (?:moins de |plus de |environ |quelque )?\d[\d.,]*\s?(?:k?m|mètres?)/,
    orMore: /(?:et|ou) (?:plus|au-delà)/,
    ages: /(?:moins|plus|âgés?|partir|dès|jusqu['’]à|entre)\s(?:de\s)?\d{1,2}|\d{1,2}\s?ans/,
    people: /responsable|direct(?:eur|rice)|chef/,
    clocks: /midi|minuit|\d{1,2} heures?|24 h|aube|crépuscule|(?:lever|coucher) du soleil|tombée de la nuit/,
    days: /(?:premier|première|dernier|dernière) (?:jour|semaine|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s? (?:ouvré |ouvrable )?(?:du|de)|le \d{1,2}(?=\s*(?:[.,;)]|$|du mois|de chaque mois))/,
    moments: /quand|lorsque|si|après|avant|sous|dès|chaque|jusqu/,
    prepositions: /à|au|aux|en|dans|sur|chez|via/,
    articles: /la\s|le\s|l['’]/,
    places: /page|intranet|rue|bureau|accueil/,
    streets: /[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Qq]uai|[Cc]hemin|[Aa]llée|[Ii]mpasse|[Rr]oute|[Cc]ours/,
    amounts: /gratuit/,
    frequencies:
      /chaque|tou(?:s|tes) les|par (?:jour|semaine|mois|an)|fois par|une fois|deux fois|quotidien(?:nement|ne)?s?|hebdomadaires?|mensuel(?:lement|le)?s?|annuel(?:lement|le)?s?/,
    spans: /seconde|min(?:ute)?|heure|jour|semaine|mois|an(?:née)?|trimestre/,
  },
};
