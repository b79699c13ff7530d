// The list of all connectors, in the order in which the interface shows them.
import { agentChat } from "./agent-chat/index.ts";
import { confluence } from "./confluence/index.ts";
import type { Connector } from "./connector.ts";
import { file } from "./file/index.ts";
import { github } from "./github/index.ts";
import { googleDrive } from "./google-drive/index.ts";
import { hubspot } from "./hubspot/index.ts";
import { jira } from "./jira/index.ts";
import { notion } from "./notion/index.ts";
import { qa } from "./qa/index.ts";
import { shopify } from "./shopify/index.ts";
import { website } from "./website/index.ts";

export const connectors: readonly Connector[] = [
  file,
  website,
  qa,
  confluence,
  notion,
  googleDrive,
  github,
  jira,
  shopify,
  hubspot,
  agentChat,
];
