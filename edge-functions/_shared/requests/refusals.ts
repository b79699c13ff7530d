// Owns the reasons for a refusal: a code for programs, the parameters, and an English sentence for developers. The codes are those of
// locales/en/errors.json, `refusals`, which has the sentences for people. Pure: knows no HTTP and no zod.
import errors from "../../../locales/en/errors.json" with { type: "json" };

const { refusals } = errors;
export type RefusalCode = keyof typeof refusals;
export const refusalCodes = Object.keys(refusals) as RefusalCode[];

/** Sentences for developers, for codes whose sentence for a person at a form does not fit. */
const forDevelopers: Partial<Record<RefusalCode, string>> = {
  // Any field.
  required: "This field is required.",
  invalid: "This value is not accepted.",
  unknown: "This call has no such field.",
  type: "Expected {{expected}}.",
  number: "Expected a number.",
  wholeNumber: "Expected a whole number.",
  pattern: "This value does not have the expected format.",
  date: "Expected a date in ISO 8601.",
  option: "This is not one of the accepted values.",
  email: "Expected an email address, such as name@example.com.",
  url: "Expected a URL, such as https://example.com.",
  tooSmall: "Use {{limit}} or more.",
  tooBig: "Use {{limit}} or less.",
  tooFew: "Send at least {{limit}}.",
  tooMany: "Send at most {{limit}}.",
  // One kind of field.
  slug: "Use a to z, 0 to 9 and hyphens, beginning and ending with a letter or digit.",
  avatar: "Send a PNG, JPEG or WebP of at most 128 KiB.",
  slugLikeId: "A codename must not look like an ID.",
  origin: "Write an origin such as https://example.com or https://*.example.com.",
  key: "A key has no spaces or special characters.",
  datePast: "Send a time in the future.",
  dateRange: "Send a date between the years 2000 and 9998.",
  slugTaken: "Another team has this codename.",
  addressTaken: "Another agent has this address.",
  roleTaken: "There is a role with this codename already.",
  slackChannel: "Send the ID of a Slack channel, such as C0123ABCD.",
  emailSame: "This is your current email address.",
  emailRefused: "This email address cannot be used.",
  passwordTooLong: "Use at most 72 bytes.",
  passwordWeak: "Choose another password.",
  passwordSame: "This is your current password.",
  codeSpent: "This code is wrong or no longer valid.",
  fileNameLong: "A file's name has at most 255 characters.",
  fileNameEmpty: "A file needs a name.",
  uploadCut: "The upload ended before it was complete.",
  testExpectsNothing: "Name a fact or a document that a good answer contains, or require a refusal.",
  testRefusesAndExpects: "A test that requires a refusal has no facts and no document.",
  testManyDocuments: "Several documents have this title.",
  testDiffers:
    "The agent has a test of this question that expects something else. Change or delete that one.",
  testsFull: "An agent has at most 500 tests.",
  overlapTooBig: "The overlap must be smaller than the maximum length.",
  rowsFull: "A team has at most 1,000 of these.",
  appsFull: "A team has at most 1,000 apps.",
  entriesFull: "A source has at most 5,000 written answers.",
  sourcesFull: "A knowledge base has at most 200 sources.",
  testsUnreadable:
    "This is not a CSV file with a column `question`: quotes are open, or the header is missing.",
  gapKnowledge: "The agent does not answer from this knowledge base.",
  gapNoKnowledge: "The agent has no knowledge base. Give it one first.",
  // The whole call.
  tooSlow: "The body did not arrive within {{seconds}} seconds.",
  tooLarge: "Send at most {{limit}} MiB.",
  missing: "This refers to something that does not exist.",
  taken: "There is one like this already.",
  changedMeanwhile: "It has changed since you read it.",
  lastOwner: "A team keeps at least one owner.",
  signUpClosed: "Sign-up is closed.",
  onlyInvited: "Only an address that a team has invited can be registered.",
  inUse: "Something still uses this.",
  replyGivenUp: "This reply was interrupted before it was complete.",
  stillAnswering: "The agent is still answering in this chat. Wait, or stop it.",
  siteNotAllowed: "This agent's chat may not be embedded on this site.",
  askedAgain: "This question was already asked again.",
  notIndexing: "Nothing of this source is being indexed.",
  liveVersionChanged: "Another version was published in the meantime. Run the tests again.",
  testsBroken: "This version breaks tests. Set `anyway` to publish it nevertheless.",
  testsUndecided:
    "Tests of this version are undecided. Run them again, overrule them, or set `anyway` to publish it nevertheless.",
  testRunOpen: "The tests of this agent are already running.",
  replyUnavailable: "This agent cannot answer at the moment.",
  replyAskAdmin: "The agent's model does not work. An admin of the team can fix it.",
  replyKeyRefused: "The provider does not accept the key of the agent's model.",
  replyUsedUp: "The account with the provider of the agent's model has no credit left.",
  replyModelUnknown: "The provider does not have the agent's model.",
  replyRefused: "The agent's model refused the question.",
  replyBadAnswer: "The answer of the agent's model cannot be read.",
  replyUnreachable: "The agent's model cannot be reached, or failed while it answered.",
  modelUnreachable: "The model cannot be reached at this address.",
  modelBadAnswer: "No OpenAI-compatible API responds at this address.",
  modelKeyRefused: "The provider does not accept this key.",
  modelUsedUp: "The account behind this key has no credit left.",
  modelRefused: "The provider does not accept this model for this use.",
  modelTooManyDimensions: "Its embeddings have more than {{limit}} dimensions.",
};
const sentences: Record<RefusalCode, string> = { ...refusals, ...forDevelopers };

export interface Refusal {
  code: RefusalCode;
  params: Record<string, string>;
  message: string;
}

/** A refusal, for ApiError or one of its details. @param params fill the sentence's gaps */
export function refusal(code: RefusalCode, params: Record<string, string> = {}): Refusal {
  const message = sentences[code].replace(/\{\{(\w+)\}\}/g, (_gap, name: string) => params[name] ?? "");
  return { code, params, message };
}

export const isRefusalCode = (code: unknown): code is RefusalCode =>
  typeof code === "string" && Object.hasOwn(sentences, code);
