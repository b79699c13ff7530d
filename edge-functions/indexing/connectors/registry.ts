// Owns the lookup of a connector by a source's type.
import type { Connector } from "./connector.ts";
import { connectors } from "./connectors.ts";
import type { Declaration } from "./declaration.ts";

/** The connector of a source's type; undefined for sources whose documents are only written by hand. */
export function connectorFor(type: string): Connector | undefined {
  return connectors.find(({ declaration }) => declaration.type === type);
}

export const declarations: readonly Declaration[] = connectors.map(({ declaration }) => declaration);

export function declarationOf(type: string): Declaration | undefined {
  return declarations.find((one) => one.type === type);
}

/** The types of documents that a connector can read again. */
export const connectorTypes: string[] = declarations.map(({ type }) => type);
