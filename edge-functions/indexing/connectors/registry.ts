// All connectors, one line each.
import { agentChat } from "./agent-chat/index.ts";
import type { Connector } from "./connector.ts";
import { file } from "./file/index.ts";
import { hubspot } from "./hubspot/index.ts";
import { jira } from "./jira/index.ts";
import { shopify } from "./shopify/index.ts";

const connectors: readonly Connector[] = [file, agentChat, jira, shopify, hubspot];

/** The connector of a source's type; undefined for sources whose documents are only written by hand. */
export function connectorFor(type: string): Connector | undefined {
  return connectors.find((connector) => connector.type === type);
}

/** The types of documents that a connector can read again. */
export const connectorTypes: string[] = connectors.map(({ type }) => type);
