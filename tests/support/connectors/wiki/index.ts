// A connector outside the product, which reads one page of a service.
import { z } from "zod";
import type {
  Connector,
  ConnectorContext,
} from "../../../../edge-functions/indexing/connectors/connector.ts";
import { requestJson } from "../../../../edge-functions/indexing/connectors/http.ts";
import { asContent } from "../../../../edge-functions/indexing/connectors/markup.ts";
import { connect } from "../../../../edge-functions/indexing/connectors/settings.ts";
import { declaration } from "./declaration.ts";

/** @param at the page's URL; the declared address by default */
export async function askWiki(context: ConnectorContext, at?: string): Promise<string> {
  const { config, service } = connect(context, declaration, {
    renew: "Enter another token.",
    login: ({ token }) => ({ authorization: `Bearer ${token}` }),
  });
  const answer = await requestJson(service, new URL("/page", at ?? config.base), { schema: z.string() });
  return answer.data;
}

export const wiki: Connector = {
  declaration,
  async list(context) {
    return { items: [{ externalId: "1", title: "Page", ...asContent(await askWiki(context)) }] };
  },
  async fetch(context) {
    return asContent(await askWiki(context));
  },
};
