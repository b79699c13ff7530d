// Owns the patterns of English questions, and of the sentences that answer them.
import type { Reading } from "../../reading.ts";

export const asks: Reading["asks"] = {
  questionWords: "what when where who whom whose which why how many much",
  glue: "a an the of to in on at for and or is are be do does it i we you my our your s",
  verbs: "find get got know need want see tell give look happen go use work hold held occur take last",
  care: "responsible handle",
  talk: `
look happen see feel come sit nip pop bother wonder exist wanna gonna gotta thing stuff whole something anything
everything nothing someone somebody anyone anybody everyone everybody nobody again anymore still yet already now right
okay ok alright please actually really just maybe probably basically exactly supposed try manage able like love hate
hope guess suppose think believe sure happy sorry guys folks mine myself kind sort bit lot lots bunch couple way case
deal matter question ask talk know find figure hear idea clue stop keep put end get go make take let stay mean seem
want wish need use work anyway back tell say give thank hello hi rough properly normally usually possible possibly
chance wondering simply soon here there today
got gotten going goes went gone came took gave given said knew thought tried using lemme dunno ought even ever never always
either though although unless since onto anyway youre youve youd youll hes shes weve
theyre theyve arent wasnt werent couldnt wouldnt shouldnt havent hasnt hadnt aint whos whens thats ya pls plz thx hey
`,
  joins:
    /,? and (?=(?:what|when|where|who|whom|which|why|how|do|does|is|are|can|must|will|should|until|by when|at what)\b)/,
  measured:
    /\bhow (?:many|much|long|soon|early|late|old|often|far|high|big|fast)\b|\b(?:what|which) (?:time|day|weekday|date|month|year)\b|\b(?:from|above|over|below|under|up to) (?:what|which|how much)(?= (?:amount|sum|price|value|age|weight|date|day))/,
  date: /\b(?:what|which) (?:time|day|weekday|date|month|year)(?:\b|s\b(?! of\b))|\b(?:latest|earliest) (?:time|date|day)\b|\bdeadline\b/,
  clock:
    /\b(?:what|which) (?:time|hour)\b|\bhow (?:late|early) (?:are|is|do|does) (?:you|we|they|the \w+) (?:open|close|shut|serve)\b|\bopening (?:hours|times)\b/,
  length: /\bhow long (?:must|should|can|may|do|does) .{1,40} be\b/,
  attributeOf: /what(?:'s| is| are| was| were) (?:the |your |our )?/,
  of: /(?:of|for)\b/,
  phone:
    /\bfax\b.{0,20}\bnumbers?\b|\bwhat(?:'s| is| are) .{0,40}\bfax\b|^\W*(?:(?:tele)?phone )?number (?:for|to|of)\b|\b(?:tele)?phone\b.{0,20}\bnumbers?\b|\b(?:numbers?) (?:can|do|should|to|for) .{0,20}\b(?:call|ring|dial)\b|\bwho (?:do|can|should|must|to) (?:i |we |you )?(?:call|ring|phone)\b|\bwhat(?:'s| is| are) .{0,40}\b(?:tele)?phone\b|\bwhat(?:'s| is) (?:his|her|their|your) number\b/,
  email: /\bwhat(?:'s| is| are)? .{0,40}\be-?mail(?: address(?:es)?)?\b|\b(?:which|what) e-?mail\b/,
  howOften: /\bhow (?:often|frequently|regularly)\b|\bhow many times (?:a|per|each)\b/,
  howLong:
    /\bhow (?:long|soon|early|late)\b|\bwhat(?:['’]s| is) (?:the|your|our|my) (?:duration|(?:\w+ ){1,3}period(?! of the year))\b|\bwithin how many (?:days|weeks|months)|after how many \w+/,
  howMuch:
    /\bhow (?:much|far|high|big|heavy|fast)\b|\bwhat(?:'s| is| are| do| does)?\b.{0,40}\b(?:price|cost|fee|rate|limit|value|amount|salary|wage|rent|deposit|fine|allowance|bonus|budget|surcharge|per kilomet)|\bprice of\b|\bwhat do(?:es)? .{1,60} cost\b|\babove which amount/,
  quantity:
    // "Maximum" is a word of both languages.
    /^(?!.*\b(?:sizes?|tailles?)\b).*\b(?:max(?:imum)?|min(?:imum)?)\b|\b(?:what|which)(?:['’]?s| is| are)?(?: the)? (?:temperature|weight|width|height|length|distance|speed|pressure|torque|discount|interest|percentage|mileage)\b|^\W*(?:extra pay|discount|refund|mileage|rate)\b/,
  howMany: /\bhow (?:many|old|often)\b|\bwhat number\b/,
  when: /\bwhen\b/,
  who: /\bwho(?:m|se)?\b(?! (?:pays?|keeps?|gets?|has to|bears|is liable|(?:can|may) (?!i\b|we\b|help|you\b)|(?:is|are) (?:eligible|entitled|allowed|covered)|qualifies)\b)/,
  where: /\bwhere\b|\bin which (?:city|place|country|town)\b/,
  howTo: /\bhow (?:do|can|should|to|is|are)\b|\bwhat (?:should|must|do) (?:i|we|you) do\b/,
  yesNo: /^\W*(?:is|are|am|can|may|do|does|did|will|must|should|could|has|have|was|were)\b/,
  nounAfter: /\b(?:the|an?|my|our|your|his|her|their|any|this|that) (\p{L}{4,})/u,
  exists: /^\W*(?:is there|are there|do you|do we)\b/,
  knows: /\b(?:know|tell|say|remember|idea)\b/,
  defines:
    /^\W*what(?:['’]s| is| are)(?: an?)? (?!the |your |our |my |.*\b(?:of|for|in|if|when|that|to)\b)(?=\S+(?: \S+){0,2}\W*$)|^\W*what does (?=(?:\S+ ){1,4}(?:mean|stand for)\W*$)/,
  age: /\bhow old\b|\bwhat age\b/,
  money:
    /\bhow much (?:do|does|did|will|would) .{1,60}\b(?:earn|make|get paid)\b|\bwhat (?:do|does) .{1,60} earn\b/,
  permission:
    /\b(?:can|may|could|must|should|shall|do|does) (?:i|we|you|he|she|they|my|our|people|visitors|guests|staff)\b(?! (?:find|get|have(?! to\b)|offer|sell))|\b(?:allowed|permitted|okay|ok) (?:to|in|on|at|if)\b|^\W*(?:is|are) .{1,60} (?:allowed|permitted|ok|okay|forbidden|banned)\b/,
  fax: /fax/,
  end: {
    asked: /ends?|ended|expires?|expired|finish(?:es|ed)?|runs? out|terminates?|(?:until|till|by) when/,
    told: /ends?|ended|ending|expir\w+|finish\w*|runs?|until|till|to|through|terminat\w+|clos\w+|over|last(?:s|ed)?|leaves?|by|before|no later|at the latest|deadlines?|due|within|between/,
  },
  predecessor: {
    asked: /before/,
    told: /predecessors?|succeed(?:s|ed)|replace[sd]?|took over|takes over|former(?:ly)?|previous(?:ly)?|until/,
  },
  periods: [
    /hourly|(?:an|per|each|every) hour/,
    /daily|(?:a|per|each|every) day/,
    /weekly|(?:a|per|each|every) week/,
    /monthly|(?:a|per|each|every) month/,
    /quarterly|(?:a|per|each|every) quarter/,
    /yearly|annual(?:ly)?|(?:a|per|each|every) (?:year|annum)/,
  ],
  answers: {
    definitions:
      /(?:is|are) (?:an?|the|when|where|our|how|what)|refers? to|means|stands? for|describes?|allows?|lets|provides?/,
    rules:
      /(?:not |be )?(?:allow|permit|forbid|forbidden|prohibit|bann|admit|tolerat|accept|require|oblig|compulsory|mandatory|consent|permission|exempt|authori[sz])\w*|must|only|may|cannot|never|free|possible|need(?:s|ed)?|no/,
    atMost:
      /up to|at most|(?:no|not) more than|(?:not|never|n['’]t) exceed|below|under|less than|until|within|maximum(?: of)?/,
    moreThan: /above|over|(?<!not? )more than|exceeding|beyond|at least|from|minimum(?: of)?/,
    referrals:
      /(?:please )?(?:also )?(?:see|read|refer to|check out|consult|visit|follow the (?:guide|guidance|instructions)|learn more|find more|for (?:more|further)|more (?:details?|information))|(?:an? )?(?:more )?(?:comprehensive|detailed|complete|full) (?:guide|list)/,
    withheld:
      /(?:is|are|stays?|remains?) (?:strictly |kept )?(?:personal|secret|confidential|private|known (?:only )?to)/,
    distances:
      /(?:within|closer than|nearer than)\s\d[\d.,]*\s?(?:k?m|met(?:er|re)s?)|\d[\d.,]*\s?(?:k?m|met(?:er|re)s?)\s(?:from|away|of)/,
    orMore: /(?:and|or) (?:more|over|above|older)/,
    ages: /(?:under|over|aged?(?: of)?|least|above|below|until|from|between|must be)\s(?:the age of\s)?\d{1,2}|(?:under|over)[- ](?:twos|threes|fours|fives|sixes|sevens|eights|nines|tens|twelves|fifties|sixties|seventies|\d{1,2}s)|\d{1,2}(?:s|\s?(?:-\s?)?years?| (?:or|and) (?:older|over|above|younger|under))/,
    personBeforeAge:
      /(?:i['’]?m|i am|(?:she|he|who)(?:['’]s| is)|(?:son|daughter|child|kid|boy|girl|mum|mother|dad|father|grandson|granddaughter|nephew|niece|brother|sister)(?:['’]s| is)|turn(?:s|ed|ing))(?: only| just| already| nearly| almost)?/,
    people: /manager|officer|director|head of|desk|team/,
    clocks:
      /noon|midnight|o['’]clock|around the clock|24 hours|dawn|dusk|sunrise|sunset|nightfall|\d{1,2} in the (?:morning|afternoon|evening)|at \d{1,2}(?=[.,;)]|$)/,
    days: /(?:first|last|second|third|\d{1,2}(?:st|nd|rd|th)) (?:working |business )?(?:day|week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s? of/,
    moments: /every|each|after|before|within|when|if|once|from|until|last|first/,
    prepositions: /in|at|on|to|from|via/,
    articles: /the\s/,
    places: /desk|office|folder|page|intranet|street/,
    streets: /[Ss]treet|[Rr]oad|[Aa]venue|[Ll]ane|[Ss]quare|[Ww]ay|[Dd]rive|St|Rd|Ave/,
    amounts: /free|nothing|(?:full|half)(?![- ]?time)/,
    frequencies:
      /every|each|daily|weekly|monthly|yearly|annually|hourly|(?:once|twice|times) (?:a|an|per|each|every)|per (?:day|week|month|year)/,
    spans: /second|min(?:ute)?|hour|day|week|month|year|quarter/,
  },
};
