// Owns why the API refuses what it was sent: a code for programs, what stands in the sentence's gaps, and the sentence in English for
// developers. The web has the same codes in locales/*/errors.json, `refusals`; a test compares the two. Pure: knows no HTTP and no zod.

const sentences = {
  // Of a field, whatever it is.
  required: "Required.",
  invalid: "Not accepted as it is.",
  unknown: "This field is not known.",
  type: "Expected {{expected}}.",
  pattern: "Not in the form that is accepted here.",
  option: "Not one of the values that are accepted here.",
  email: "Invalid email address",
  url: "Invalid URL",
  characters: "Leave out control and invisible characters.",
  tooShort: "Use at least {{limit}} characters.",
  tooLong: "Use at most {{limit}} characters.",
  tooSmall: "Use {{limit}} or more.",
  tooBig: "Use {{limit}} or less.",
  tooFew: "Give at least {{limit}}.",
  tooMany: "Give at most {{limit}}.",
  // Of one kind of field.
  slug: "Use a to z, 0 to 9 and hyphens, beginning and ending with a letter or digit.",
  reserved: "This word is reserved. Choose another one.",
  color: "Write a colour as #rrggbb, such as #0f766e.",
  avatar: "Send a PNG, JPEG or WebP of at most 128 KiB.",
  slugLikeId: "A codename does not look like an id.",
  origin: "Write an origin such as https://example.com or https://*.example.com.",
  slackChannel: "A Slack channel's id, such as C0123ABCD.",
  emailSame: "This is your present email.",
  emailRefused: "This email cannot be used.",
  passwordTooLong: "Use at most 72 bytes.",
  passwordWeak: "Choose another password.",
  passwordSame: "This is your present password.",
  passwordWrong: "This is not your present password.",
  codeSpent: "This code is wrong or no longer valid.",
  fileEmpty: "“{{name}}” is empty.",
  fileTooLarge: "“{{name}}” is larger than {{limit}} MiB.",
  testExpectsNothing: "Say what a good answer holds: a fact, a document, or that it must be refused.",
  testRefusesAndExpects: "An answer that must be refused holds no facts and cites no document.",
  testNoDocument: "The team has no document with this title.",
  testManyDocuments: "Several documents have this title.",
  testYesOrNo: "Write yes or no.",
  testsFull: "An agent has at most 500 tests.",
  testsUnreadable: "This is no CSV file with a column `question`: quotes are open, or the header is missing.",
  gapKnowledge: "The agent does not answer from this knowledge base.",
  gapNoKnowledge: "The agent has no knowledge base. Give it one first.",
  // Of the whole call.
  taken: "There is one like this already.",
  changedMeanwhile: "It was changed since it was read.",
  lastOwner: "A team keeps at least one owner.",
  joined: "They have joined already.",
  answered: "This invitation has been answered already.",
  signUpClosed: "Sign-up is closed.",
  inUse: "Something still uses this.",
  nothingSaid: "Nothing has been said in this chat yet.",
  stillAnswering: "The agent is still answering in this chat. Wait, or stop it.",
  askedAgain: "This question was asked again already.",
  notDeleted: "This is not deleted.",
  restoreBlocked: "Something that it needs is gone, or something else has taken its place.",
  notIndexing: "Nothing of this source is being indexed.",
  draftPublished: "This version is published already.",
  liveVersionChanged: "Another version was published meanwhile. Compare again.",
  testsBroken: "This version breaks tests. Publish it with `anyway` if that is meant.",
  testRunOpen: "Another run of this agent's tests is not over yet.",
  testRunOver: "This run of the agent's tests is already over.",
  modelRoleTaken: "A model is connected for this already. Change that connection, or disconnect it first.",
  modelNotPublic: "Only addresses of the open internet, over https://, can be called.",
  modelUnreachable: "The model cannot be reached at this address.",
  modelBadAnswer: "What is at this address does not speak OpenAI's protocol.",
  modelKeyRefused: "The provider does not accept this key.",
  modelUsedUp: "The account of this key is used up.",
  modelBusy: "The provider turns this key's calls away for now. Try again in a moment.",
  modelUnknown: "The provider knows no model of this name.",
  modelRefused: "The provider does not take this model for this purpose.",
  modelTooManyDimensions: "Its embeddings have more than {{limit}} dimensions.",
  nobodyOffered: "This team offers no way to a person.",
  handoverClosed: "This request is closed. The person can ask again in the chat.",
  webhookNotPublic: "Only addresses of the open internet, over https://, can be called.",
  readOnlyDocument: "This document is read from its source: change it there.",
} as const satisfies Record<string, string>;

export type RefusalCode = keyof typeof sentences;
export const refusalCodes = Object.keys(sentences) as RefusalCode[];

export interface Refusal {
  code: RefusalCode;
  params: Record<string, string>;
  message: string;
}

/** Why something is refused, for ApiError or one of its details. @param params what stands in the sentence's gaps */
export function refusal(code: RefusalCode, params: Record<string, string> = {}): Refusal {
  const message = sentences[code].replace(/\{\{(\w+)\}\}/g, (_gap, name: string) => params[name] ?? "");
  return { code, params, message };
}

export const isRefusalCode = (code: unknown): code is RefusalCode =>
  typeof code === "string" && Object.hasOwn(sentences, code);
