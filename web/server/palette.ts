// GET /palette.json: what the command palette lists for whoever asks, in their language. Nothing that they could not open.

import type { Context } from "hono";
import type { TFunction } from "i18next";
import { navigationGroups, offeredEntries, overviewEntries } from "../layouts/navigation-entries.ts";
import type { Palette, PaletteItem } from "../renderer/palette.ts";
import { ApiFailure } from "./api-failure.ts";
import { i18nFor } from "./i18n.ts";
import { pages } from "./pages.ts";
import { homeOf } from "./policy.ts";
import { openScope, type RequestScope } from "./request-scope.ts";
import { safeNext } from "./safe-next.ts";
import { commonHeaders } from "./security-headers.ts";
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

/** Pages and actions that need no question to the API. */
function fixedItems({ user, team, locale, theme, opens }: RequestScope, t: TFunction): PaletteItem[] {
  const items: PaletteItem[] = [];
  if (user) {
    for (const { key, href } of offeredEntries(overviewEntries, team?.codename, opens))
      items.push(page(t(`nav.${key}`), href));
    if (opens("/onboarding")) items.push(page(t("nav.onboarding"), "/onboarding"));
    for (const { key: group, entries } of navigationGroups) {
      for (const { key, href } of offeredEntries(entries, team?.codename, opens))
        items.push(page(t(`nav.${key}`), href, t(`nav.groups.${group}`)));
    }
    const tasks = team && `/teams/${team.codename}/tasks`;
    if (tasks && opens(tasks)) items.push(page(t("nav.tasks"), tasks, t("nav.groups.resources")));
    items.push(page(t("nav.allTeams"), "/teams"));
    const action = (id: string, label: string, href: string) => {
      if (opens(href)) items.push({ id, group: "actions", label, href });
    };
    if (team) {
      action("create-agent", t("palette.createAgent"), `/teams/${team.codename}/agents/create`);
      action("create-knowledge", t("palette.createKnowledge"), `/teams/${team.codename}/knowledges/create`);
      if (team.permissions.includes("users.write"))
        action("invite", t("palette.invite"), `/teams/${team.codename}/users`);
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
  items.push(preference(t("palette.otherLanguage"), t("language"), "locale", locale === "en" ? "fr" : "en"));
  if (user)
    items.push({ id: "log-out", group: "actions", label: t("nav.logout"), form: { action: "/logout" } });
  return items;
}

interface Named {
  data: { id: string; name: string }[];
  total: number;
}

/** A role without the right to read them has none to go to. */
async function orNone(list: Promise<Named>): Promise<Named> {
  try {
    return await list;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status >= 500) throw error;
    return { data: [], total: 0 };
  }
}

async function teamItems(
  scope: RequestScope,
  query: string,
): Promise<{ items: PaletteItem[]; more: boolean }> {
  const { team, teams } = scope;
  const others: PaletteItem[] = teams
    .filter(({ id }) => id !== team?.id)
    .map((other) => ({
      id: `team-${other.id}`,
      group: "teams",
      label: other.name,
      hint: other.codename,
      href: homeOf(other),
    }));
  if (!team) return { items: others, more: false };
  const asked = { teamId: team.id, name: query, perPage: PER_KIND };
  const [agents, knowledges] = await Promise.all([
    orNone(scope.api.get("/v1/teams/{teamId}/agents", asked)),
    orNone(scope.api.get("/v1/teams/{teamId}/knowledges", asked)),
  ]);
  const rows = (group: "agents" | "knowledges", { data }: Named): PaletteItem[] =>
    data.map(({ id, name }) => ({
      id: `${group}-${id}`,
      group,
      label: name,
      href: `/teams/${team.codename}/${group}/${id}`,
    }));
  return {
    items: [...rows("agents", agents), ...rows("knowledges", knowledges), ...others],
    more: [agents, knowledges].some(({ total, data }) => total > data.length),
  };
}

/** Answers with a Palette. The query names the page it is opened on (`path`), whose team counts, and the typed text. */
export async function servePalette(c: Context<WebEnv>): Promise<Response> {
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
  const { t } = i18nFor(scope.locale);
  const query = (c.req.query("query") ?? "").trim().slice(0, 100);
  const { items, more } = await teamItems(scope, query);
  const palette: Palette = {
    items: [...fixedItems(scope, t), ...items],
    more,
    words: {
      placeholder: t("palette.placeholder"),
      empty: t("palette.empty"),
      results: t("palette.results"),
      groups: {
        pages: t("palette.pages"),
        actions: t("palette.actions"),
        agents: t("nav.agents"),
        knowledges: t("nav.knowledges"),
        teams: t("palette.teams"),
      },
    },
  };
  const headers = new Headers({ ...commonHeaders, "cache-control": "private, no-store" });
  for (const line of scope.cookies.headers()) headers.append("set-cookie", line);
  return Response.json(palette, { headers });
}
