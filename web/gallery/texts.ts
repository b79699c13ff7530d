// Owns the texts in the gallery's rows: usual ones, and extreme ones.

const agents = [
  "Handbook",
  "Customer service",
  "Returns and warranty",
  "IT help desk",
  "Price list 2026",
  "Onboarding",
];
const titles = [
  "How many days of annual leave do I have?",
  "Where do I send a parcel back to?",
  "Who approves travel expenses?",
  "What does the warranty cover?",
];
const sentences = [
  "You have 25 days of annual leave a year, and one more for every five years with the company. [1]",
  "Parcels are sent back to the warehouse in Rotterdam within 30 days; the label is in the box.",
  "Your manager approves travel expenses up to 500 euros, the head of finance approves what is above. [2]",
];
const people = ["Ada Lovelace", "Grace Hopper", "Émilie du Châtelet", "Katherine Johnson", "Hedy Lamarr"];

/** One word longer than any line, and one with many break points. */
const UNBROKEN =
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsversammlungsprotokoll";
const PATHLIKE =
  "department/2026/final_v7_FINAL-reviewed-by-legal-and-finance(copy-of-copy)_do-not-delete.backup.docx";
const LONG_SENTENCE =
  "The third amendment to the agreement on the joint use of the reading rooms by guests of both institutes outside opening hours";

const longNames = [UNBROKEN, LONG_SENTENCE, PATHLIKE];
const longText = [LONG_SENTENCE, UNBROKEN, LONG_SENTENCE, `https://example.com/${PATHLIKE}`].join(". ");

const one = (list: string[], at: number): string => list[at % list.length] ?? "";

const byName: Record<string, (at: number, long: boolean) => string> = {
  email: (at, long) =>
    long
      ? `${UNBROKEN.toLowerCase().slice(0, 60)}@${"sub-".repeat(8)}domain.example.com`
      : `person${at + 1}@example.com`,
  codename: (at) => one(["owner", "admin", "editor", "viewer"], at),
  channel: () => "web",
  "channels[]": () => "web",
  type: (at) => one(["website", "github", "googleDrive", "notion", "jira"], at),
  color: () => "#4f46e5",
  model: (at, long) => (long ? `vendor/${PATHLIKE}` : one(["gpt-5.2", "llama3.2", "mistral-large"], at)),
  avatar: () => "",
  id: (at) => `0193a5e0-7b1a-7cc0-8f3e-${String(at + 1).padStart(12, "0")}`,
  teamId: () => "0193a5e0-7b1a-7cc0-8f3e-000000000001",
  version: () => "0123456789abcdef0123456789abcdef",
  lastKey: () => "",
  userAgent: (_at, long) =>
    long ? `Mozilla/5.0 (${LONG_SENTENCE}) ${UNBROKEN}` : "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
  contentType: () => "text/markdown",
  key: () => "prl_00000000000000000000000000000000000000000000",
  username: (at) => one(people, at),
  invitedBy: (at, long) => (long ? UNBROKEN : one(people, at)),
  error: (at, long) =>
    long ? longText : at % 3 === 1 ? "The address answered with 503 for 10 minutes." : "",
};
const asSentence =
  /^(content|answer|said|text|instructions|greeting|description|summary|message|excerpt|quote|intro|note|detail|comment|facts\[\])$/;
const asQuestion = /^(question|title|subject|searchedFor|suggestedPrompts\[\]|suggestions\[\])$/;

/** The text of a field. @param at its index among its kind */
export function textFor(name: string, at: number, long: boolean, format?: string): string {
  const own = byName[name];
  if (own) return own(at, long);
  if (format === "email") return byName.email?.(at, long) ?? "";
  if (format === "uri" || /url$/i.test(name) || name === "address")
    return long ? `https://example.com/${PATHLIKE}` : `https://example.com/help/${at + 1}`;
  if (asSentence.test(name)) return long ? longText : one(sentences, at);
  if (asQuestion.test(name)) return long ? one(longNames, at) : one(titles, at);
  return long ? one(longNames, at) : one(agents, at);
}
