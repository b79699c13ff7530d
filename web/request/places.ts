// GET /places.json: where dropped files can be added, for the viewer, with the text of the dialog that offers it.

import type { Context } from "hono";
import { documentLanguageOf } from "../../locales/registry.ts";
import type { Places } from "../render/places.ts";
import { type Choices, noChoices, teamChoices } from "./choices.ts";
import { resources } from "./i18n.ts";
import { safeNext } from "./safe-next.ts";
import { jsonAnswer, openScope } from "./side-scope.ts";
import type { WebEnv } from "./web-env.ts";

const namespaces = ["files", "errors", "inputs"];

/** Answers with Places. The query holds the page that the files are dropped on (`path`), which determines the team. */
export async function servePlaces(c: Context<WebEnv>): Promise<Response> {
  const scope = await openScope(c, safeNext(c.req.query("path")));
  const { api, locale, team, user } = scope;
  const may = (permission: string) => team?.permissions.includes(permission) ?? false;
  const inTeam = { api, url: new URL(`/teams/${team?.id}/`, scope.url) };
  // The page may show a knowledge base or a source that is not among the first.
  const shown = scope.url.pathname.split("/");
  const mayAdd = may("files.write");
  const [knowledges, sources] = await Promise.all([
    mayAdd && may("knowledges.write") && may("knowledges.read")
      ? teamChoices("knowledges", inTeam, shown)
      : null,
    mayAdd && may("sources.write") && may("sources.read")
      ? teamChoices("fileSources", inTeam, shown)
      : noChoices("fileSources"),
  ]);
  const toList = ({ options, isPartial }: Choices) => ({ options, isPartial });
  const places: Places = {
    isKnown: user !== null,
    team: mayAdd && team ? { id: team.id, name: team.name, codename: team.codename } : null,
    knowledges: knowledges && toList(knowledges),
    sources: toList(sources),
    language: documentLanguageOf(locale),
    words: Object.fromEntries(namespaces.map((name) => [name, resources[locale]?.[name] ?? {}])),
  };
  return jsonAnswer(scope, places);
}
