// GET /places.json: where dropped files can be added, for the viewer, with the text of the dialog that offers it.

import type { Context } from "hono";
import { documentLanguageOf } from "../../locales/registry.ts";
import type { Places } from "../render/places.ts";
import { resources } from "./i18n.ts";
import { pages } from "./pages.ts";
import { openScope } from "./request-scope.ts";
import { safeNext } from "./safe-next.ts";
import { commonHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";

const PER_KIND = 100;

/** Answers with Places. The query holds the page that the files are dropped on (`path`), which determines the team. */
export async function servePlaces(c: Context<WebEnv>): Promise<Response> {
  const path = safeNext(c.req.query("path"));
  const scope = await openScope({
    request: c.req.raw,
    requestId: c.get("requestId"),
    clientAddress: c.get("clientAddress"),
    nonce: "",
    url: new URL(path, c.req.url),
    wantsPayload: true,
    form: null,
    pages: pages(),
  });
  const { api, locale, team, user } = scope;
  const may = (permission: string) => team?.permissions.includes(permission) ?? false;
  const list = { teamId: team?.id ?? "", perPage: PER_KIND };
  const mayAdd = may("files.write");
  const [knowledges, sources] = await Promise.all([
    mayAdd && may("knowledges.write") && may("knowledges.read")
      ? api.get("/v1/teams/{teamId}/knowledges", list)
      : null,
    mayAdd && may("sources.write") && may("sources.read")
      ? api.get("/v1/teams/{teamId}/sources", { ...list, type: "file" })
      : null,
  ]);
  const pickName = ({ id, name }: { id: string; name: string }) => ({ id, name });
  const places: Places = {
    isKnown: user !== null,
    team: mayAdd && team ? { id: team.id, name: team.name, codename: team.codename } : null,
    knowledges: knowledges?.data.map(pickName) ?? null,
    sources: sources?.data.map(pickName) ?? [],
    language: documentLanguageOf(locale),
    words: { files: resources[locale]?.files ?? {}, errors: resources[locale]?.errors ?? {} },
  };
  const headers = new Headers({ ...commonHeaders, "cache-control": "private, no-store" });
  for (const line of scope.cookies.headers()) headers.append("set-cookie", line);
  return Response.json(places, { headers });
}
