// Owns the sentences that release 1.0.0 stored with sources, documents and tasks and that were reworded since. Rows keep them until their
// next sync, and they must be recognized to be translated. Never add a sentence that no release has written.
import type en from "../../../locales/en/problems.json";

/** By the code of the current sentence; the names of the parameters are the current ones. */
export const formerSentences: readonly [code: keyof typeof en.sentences, text: string][] = [
  ["modelEndless", "The model's reply is longer than can be taken."],
  [
    "renewJira",
    "Make a new API token at id.atlassian.com, for an account that sees the projects, and enter it at the source.",
  ],
  [
    "renewHubspot",
    "Open the private app in HubSpot's settings, see that it has the scopes to read, and enter its access token at the source.",
  ],
  [
    "renewShopify",
    "Open the app in the shop's admin, see that it is installed and may read content, and enter its access token at the source.",
  ],
  ["ownProblemStatus", "{{service}} has a problem of its own ({{status}})."],
  ["ownProblem", "{{service}} has a problem of its own."],
  ["moved", "{{service}} sends callers to another address. Give that one."],
  ["misunderstoodStatus", "{{service}} did not understand what it was asked ({{status}})."],
  ["misunderstood", "{{service}} did not understand what it was asked: {{said}}"],
  ["illegible", "{{service}} answered in a form that cannot be read."],
  ["tooMuch", "{{service}} answered with more than can be taken at once."],
  ["addressEnd", "Give an address that ends with {{suffix}}."],
  ["addressStart", "Give an address that begins with https://."],
  ["notAToken", "This is not a token: it has spaces or other characters that no token has."],
  ["notAProjectKey", "This is not a project's key."],
  ["shopifyScope", "Shopify does not let this app read that: {{said}} Give the app the missing scope."],
  ["shopifyUnknown", "Shopify knows no shop at this address."],
  ["shopifyKind", "Shopify has no such kind of thing."],
  ["shopifyForm", "Shopify sent it in a form that is not known."],
  ["hubspotDay", "HubSpot's allowance for the day is used up."],
  ["hubspotScope", "HubSpot does not let this app read {{what}}. Give the private app the scope {{scope}}."],
  ["hubspotKind", "HubSpot has no such kind of record."],
  ["agentMissing", "The settings of this source name no agent."],
  [
    "fileScanned",
    "{{document}} holds pictures of pages and no text. Run text recognition (OCR) on it and upload it again.",
  ],
  [
    "fileUnsupported",
    "{{document}} is {{found}}, which cannot be read. Upload a PDF, Office, EPUB, e-mail, HTML, Markdown, text, CSV or JSON file.",
  ],
  ["modelUnreachable", "The model cannot be reached."],
  ["modelKey", "The model's provider does not accept the key."],
  ["modelBusy", "The model has too much to do."],
  ["modelBroken", "The model is out of order ({{status}})."],
  ["modelSpent", "The account at the model's provider is used up."],
  ["modelCount", "The model gave {{given}} embeddings for {{asked}} texts."],
  ["modelNotNumbers", "The model gave an embedding with something else than numbers in it."],
  ["modelZeros", "The model gave an embedding of zeros."],
  ["modelSilent", "The model fell silent in its reply."],
  ["modelFilter", "The model's filter ended the reply."],
  ["modelNoReply", "The model's answer holds no reply."],
  ["modelLostInReply", "The connection to the model was lost in its reply."],
  ["hostTooMuch", "{{host}} answered with more than can be taken."],
  [
    "endless",
    "The source gives page after page without coming to an end, so reading it was given up. Nothing was removed.",
  ],
];

/** The same for words that fill a sentence's parameter. */
export const formerWords: readonly [code: keyof typeof en.words, text: string][] = [
  ["eml", "an e-mail (EML)"],
];
