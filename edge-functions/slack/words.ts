// Owns what Parley itself says in Slack, in the languages of the product. Pure.

const en = {
  thinking: "is looking it up…",
  hello: "Ask me a question, and I answer from the team's documents.",
  prompts: "Try asking",
  noAgent: "There is no agent here any more. Somebody who manages Parley can connect one.",
  elsewhere: "I don't answer in this channel. Ask me in a direct message, or in one of my channels.",
  notAllowed: "I answer members of this workspace only.",
  tooMany: "That is more than I can answer at once. Wait a minute, then ask again.",
  failed: "I could not answer that just now. Ask me again in a moment.",
  cutOff: "The answer was cut off here. Ask me again for the rest.",
  stopped: "Stopped.",
  sources: "Sources",
  searchedFor: "Searched for:",
  good: "Good answer",
  bad: "Bad answer",
};
export type Words = typeof en;

const fr: Words = {
  thinking: "cherche…",
  hello: "Posez-moi une question : je réponds à partir des documents de l’équipe.",
  prompts: "Par exemple",
  noAgent: "Il n’y a plus d’agent ici. Une personne qui gère Parley peut en connecter un.",
  elsewhere: "Je ne réponds pas dans ce canal. Écrivez-moi en message direct ou dans l’un de mes canaux.",
  notAllowed: "Je ne réponds qu’aux membres de cet espace de travail.",
  tooMany: "C’est plus que ce à quoi je peux répondre d’un coup. Attendez une minute, puis redemandez.",
  failed: "Je n’ai pas pu répondre à l’instant. Redemandez-moi dans un moment.",
  cutOff: "La réponse a été interrompue ici. Redemandez-moi pour la suite.",
  stopped: "Arrêté.",
  sources: "Sources",
  searchedFor: "Recherche effectuée :",
  good: "Bonne réponse",
  bad: "Mauvaise réponse",
};

/** @param locale as Slack names it, such as fr-FR */
export function wordsFor(locale: string | undefined): Words {
  return locale?.toLowerCase().startsWith("fr") ? fr : en;
}
