// The sidebar's entries: their groups, their order, and the entry of an address.
import type app from "#locales/en/app.json";

export interface NavigationEntry {
  /** Key under app:nav. */
  key: keyof typeof app.nav;
  /** Path under the team, or from the root when it starts with a slash. */
  path: string;
  order: number;
  /** Further paths that belong to the entry. */
  also?: string[];
}

/** Entries above the groups: the team as a whole. */
export const overviewEntries: NavigationEntry[] = [
  { key: "dashboard", path: "/dashboard", order: 1 },
  { key: "insights", path: "insights", order: 2 },
  { key: "gaps", path: "gaps", order: 3 },
];

export interface NavigationGroup {
  key: "project" | "playground" | "resources" | "account";
  entries: NavigationEntry[];
}

const groups: NavigationGroup[] = [
  {
    key: "project",
    entries: [
      { key: "agents", path: "agents", order: 1 },
      { key: "knowledges", path: "knowledges", order: 3 },
      { key: "sources", path: "sources", order: 4, also: ["source"] },
      { key: "chats", path: "chats", order: 6 },
      { key: "handovers", path: "handovers", order: 7 },
      { key: "apps", path: "apps", order: 8 },
    ],
  },
  {
    key: "playground",
    entries: [
      { key: "playgroundAgents", path: "playground", order: 1 },
      { key: "playgroundKnowledge", path: "playground/knowledge", order: 2 },
    ],
  },
  {
    key: "resources",
    entries: [
      { key: "files", path: "files", order: 1 },
      { key: "tasks", path: "tasks", order: 2 },
    ],
  },
  {
    key: "account",
    entries: [
      { key: "profile", path: "/account", order: 1 },
      { key: "apiKeys", path: "apiKeys", order: 2 },
      { key: "users", path: "users", order: 1, also: ["roles"] },
      { key: "models", path: "models", order: 3 },
    ],
  },
];

/** The groups with their entries sorted by their order. */
export const navigationGroups: NavigationGroup[] = groups.map((group) => ({
  ...group,
  entries: group.entries.toSorted((a, b) => a.order - b.order),
}));

/** Address of an entry in a team; without a team only entries from the root have one. */
function entryHref(entry: NavigationEntry, teamCode: string | undefined): string | undefined {
  if (entry.path.startsWith("/")) return entry.path;
  return teamCode && `/teams/${teamCode}/${entry.path}`;
}

export interface OfferedEntry {
  key: string;
  href: string;
}

/** The entries that a reader may open. @param canOpen the policy's decision about an address */
export function visibleEntries(
  entries: NavigationEntry[],
  teamCode: string | undefined,
  canOpen: (href: string) => boolean,
): OfferedEntry[] {
  return entries.flatMap((entry) => {
    const href = entryHref(entry, teamCode);
    return href && canOpen(href) ? [{ key: entry.key, href }] : [];
  });
}

/**
 * href of an address's entry: the longest entry path that is the address or a parent of it; null for none.
 * @param teamCode the team's slug in the entries; the address may contain its id instead
 */
export function currentEntry(pathname: string, teamCode?: string): string | null {
  const [, team] = /^\/teams\/([^/]+)\//.exec(pathname) ?? [];
  let best: { href: string; length: number } | null = null;
  for (const entry of [...overviewEntries, ...groups.flatMap((group) => group.entries)]) {
    for (const path of [entry.path, ...(entry.also ?? [])]) {
      const base = path.startsWith("/") ? path : team && `/teams/${team}/${path}`;
      if (!base || (pathname !== base && !pathname.startsWith(`${base}/`))) continue;
      const href = entryHref(entry, team && (teamCode ?? team));
      if (href && (!best || base.length > best.length)) best = { href, length: base.length };
    }
  }
  return best?.href ?? null;
}
