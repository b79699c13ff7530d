// GET /palette.json: the entries of the command palette for the viewer, in their language. Lists only what they may open.

import type { Context } from "hono";
import type { TFunction } from "i18next";
import { wordsOf } from "../../edge-functions/_shared/requests/errors.ts";
import type { AnswerOf } from "../client/api-calls.ts";
import { navigationGroups, overviewEntries, visibleEntries } from "../layouts/navigation-entries.ts";
import { localeNames } from "../render/locale.ts";
import type { EndedPalette, Palette, PaletteGroup, PaletteItem } from "../render/palette.ts";
import { ApiFailure } from "./api-failure.ts";
import { i18nFor } from "./i18n.ts";
import { errorAnswer, PERSON_HEADER } from "./pass-through.ts";
import { homeOf } from "./policy.ts";
import type { RequestScope } from "./request-scope.ts";
import { safeNext } from "./safe-next.ts";
import { jsonAnswer, openScope } from "./side-scope.ts";
import type { WebEnv } from "./web-env.ts";

const PER_KIND = 100;

const page = (label: string, href: string, hint?: string): PaletteItem => ({
  id: `page-${href.replaceAll(/\W+/g, "-")}`,
  group: "pages",
  label,
  hint,
  href,
});

const preference = (label: string, hint: string, name: "theme" | "locale", value: string): PaletteItem => ({
  id: `${name}-${value}`,
  group: "actions",
  label,
  hint,
  form: { action: "/preferences", name, value },
});

export const paletteWords = (t: TFunction): Palette["words"] => ({
  placeholder: t("palette.placeholder"),
  empty: t("palette.empty"),
  results: t("palette.results"),
  ask: t("palette.ask"),
  groups: {
    pages: t("palette.pages"),
    actions: t("palette.actions"),
    agents: t("nav.agents"),
    knowledges: t("nav.knowledges"),
    sources: t("nav.sources"),
    documents: t("palette.documents"),
    passages: t("palette.passages"),
    chats: t("nav.chats"),
    teams: t("palette.teams"),
    ask: t("palette.askGroup"),
  },
});

/** What the palette shows when the page's session has ended. */
const endedPalette = (t: TFunction): EndedPalette => ({
  title: t("auth:login.ended"),
  item: page(t("nav.login"), "/login", t("auth:login.endedText.reading")),
});

/** Pages and actions that need no API call. */
function fixedItems({ user, team, locale, theme, canOpen }: RequestScope, t: TFunction): PaletteItem[] {
  const items: PaletteItem[] = [];
  if (user) {
    for (const { key, href } of visibleEntries(overviewEntries, team?.codename, canOpen))
      items.push(page(t(`nav.${key}`), href));
    if (canOpen("/onboarding")) items.push(page(t("nav.onboarding"), "/onboarding"));
    for (const { key: group, entries } of navigationGroups) {
      for (const { key, href } of visibleEntries(entries, team?.codename, canOpen))
        items.push({
          ...page(t(`nav.${key}`), href, t(`nav.groups.${group}`)),
          also: key === "profile" ? t("palette.also.profile") : undefined,
        });
    }
    const settings = team && `/teams/${team.codename}/settings`;
    if (settings && canOpen(settings)) items.push(page(t("nav.teamSettings"), settings));
    items.push(page(t("nav.allTeams"), "/teams"));
    const action = (id: string, label: string, href: string, also = t("palette.also.create")) => {
      if (canOpen(href)) items.push({ id, group: "actions", label, href, also });
    };
    if (team) {
      action("create-agent", t("palette.createAgent"), `/teams/${team.codename}/agents/create`);
      action("create-knowledge", t("palette.createKnowledge"), `/teams/${team.codename}/knowledges/create`);
      action("create-source", t("palette.createSource"), `/teams/${team.codename}/sources/create`);
      if (team.permissions.includes("files.write"))
        items.push({
          id: "upload",
          group: "actions",
          label: t("palette.upload"),
          also: t("palette.also.upload"),
          chooses: "files",
        });
      if (team.permissions.includes("users.write"))
        action("invite", t("palette.invite"), `/teams/${team.codename}/users`, t("palette.also.invite"));
    }
    action("create-team", t("nav.createTeam"), "/teams/create");
  } else {
    items.push(
      page(t("nav.home"), "/"),
      page(t("nav.login"), "/login"),
      page(t("nav.register"), "/register"),
    );
  }
  items.push(
    page(t("nav.guides"), "/guides"),
    page(t("nav.support"), "/support"),
    page(t("nav.privacy"), "/privacy-policy"),
    page(t("nav.terms"), "/terms-of-use"),
  );
  for (const value of ["light", "dark", "system"] as const) {
    if (value !== theme) items.push(preference(t(`theme.${value}`), t("theme.label"), "theme", value));
  }
  for (const { code, name } of localeNames) {
    if (code !== locale) items.push(preference(name, t("language"), "locale", code));
  }
  if (user)
    items.push({ id: "log-out", group: "actions", label: t("nav.logout"), form: { action: "/logout" } });
  return items;
}

/** The list, or nothing when the viewer's role may not read it. */
async function orNone<Row>(list: Promise<{ data: Row[] }>): Promise<Row[]> {
  try {
    return (await list).data;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status >= 500) throw error;
    return [];
  }
}

/** The team's first agents and knowledge bases, and the viewer's other teams. */
async function teamItems({
  api,
  team,
  teams,
}: RequestScope): Promise<{ items: PaletteItem[]; agents: { id: string; name: string }[] }> {
  const others: PaletteItem[] = teams
    .filter(({ id }) => id !== team?.id)
    .map((other) => ({
      id: `team-${other.id}`,
      group: "teams",
      label: other.name,
      hint: other.codename,
      href: homeOf(other),
    }));
  if (!team) return { items: others, agents: [] };
  const asked = { teamId: team.id, perPage: PER_KIND };
  const [agents, knowledges] = await Promise.all([
    orNone(api.get("/v1/teams/{teamId}/agents", asked)),
    orNone(api.get("/v1/teams/{teamId}/knowledges", asked)),
  ]);
  const rows = (group: "agents" | "knowledges", data: { id: string; name: string }[]): PaletteItem[] =>
    data.map(({ id, name }) => ({
      id: `${group}-${id}`,
      group,
      label: name,
      href: `/teams/${team.codename}/${group}/${id}`,
    }));
  return { items: [...rows("agents", agents), ...rows("knowledges", knowledges), ...others], agents };
}

type Hit = AnswerOf<"GET", "/v1/teams/{teamId}/search">["data"][number];

/** The path of a search hit, relative to its team. */
function pathOf({ type, id, sourceId, documentId }: Hit): string {
  if (type === "document") return `source/${sourceId}/documents/${id}`;
  if (type === "passage") return `source/${sourceId}/documents/${documentId}`;
  if (type === "chat") return `chats/review?chatId=${id}`;
  return `${type}s/${id}`;
}

/** The team's content that matches the query. */
async function foundItems(
  { api, team, canOpen }: RequestScope,
  query: string,
  t: TFunction,
): Promise<PaletteItem[]> {
  if (!team || !query) return [];
  const hits = await orNone(api.get("/v1/teams/{teamId}/search", { teamId: team.id, query }));
  return hits.flatMap((hit) => {
    const group = `${hit.type}s` as PaletteGroup;
    const href = `/teams/${team.codename}/${pathOf(hit)}`;
    const label = hit.title || t("dashboard:untitled");
    return canOpen(href)
      ? [{ id: `${group}-${hit.id}`, group, label, hint: hit.excerpt ?? undefined, href }]
      : [];
  });
}

/** Answers with a Palette. The query holds the page it is opened on (`path`), which determines the team, and the typed text. */
export async function servePalette(c: Context<WebEnv>): Promise<Response> {
  const path = safeNext(c.req.query("path"));
  const scope = await openScope(c, path);
  // Nobody knows who asks. A stranger's list would tell a member to register.
  if ((await scope.viewer).problem)
    return errorAnswer(503, "UNAVAILABLE", wordsOf("UNAVAILABLE"), c.get("requestId"));
  const { t } = i18nFor(scope.locale);
  const person = c.req.header(PERSON_HEADER);
  // The session has ended, or somebody else has logged in since the page was opened: their list would not belong to it.
  if (person !== undefined && scope.user?.id !== person) return jsonAnswer(scope, endedPalette(t), 401);
  const query = (c.req.query("query") ?? "").trim().slice(0, 200);
  const [{ items, agents }, found] = await Promise.all([teamItems(scope), foundItems(scope, query, t)]);
  // The agent of the current page, else the first.
  const asks = agents.find(({ id }) => path.includes(id)) ?? agents[0] ?? null;
  const palette: Palette = {
    items: [...fixedItems(scope, t), ...items],
    found,
    asks: asks && scope.canOpen(`/chats/${asks.id}`) ? { id: asks.id, name: asks.name } : null,
    words: paletteWords(t),
  };
  return jsonAnswer(scope, palette);
}
