// The sidebar's entries: their groups and icons, in their order, and the entry of an address.
import {
  Blocks,
  Bot,
  ChartColumn,
  Cpu,
  FileText,
  FlaskConical,
  Inbox,
  KeyRound,
  LayoutDashboard,
  LibraryBig,
  ListTodo,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessagesSquare,
  Plug,
  SearchCode,
  UserRound,
  UsersRound,
} from "lucide-react";
import type app from "#locales/en/app.json";

export interface NavigationEntry {
  /** Key under app:nav. */
  key: keyof typeof app.nav;
  /** Path under the team, or from the root when it starts with a slash. */
  path: string;
  icon: LucideIcon;
  /** Further paths that belong to the entry. */
  also?: string[];
}

/** Entries above the groups: the team as a whole. */
export const overviewEntries: NavigationEntry[] = [
  { key: "dashboard", path: "/dashboard", icon: LayoutDashboard },
  { key: "insights", path: "insights", icon: ChartColumn },
  { key: "gaps", path: "gaps", icon: MessageCircleQuestionMark },
];

export interface NavigationGroup {
  key: "project" | "playground" | "resources" | "account";
  entries: NavigationEntry[];
}

export const navigationGroups: NavigationGroup[] = [
  {
    key: "project",
    entries: [
      { key: "agents", path: "agents", icon: Bot },
      { key: "knowledges", path: "knowledges", icon: LibraryBig },
      { key: "sources", path: "sources", icon: Plug, also: ["source"] },
      { key: "chats", path: "chats", icon: MessagesSquare },
      { key: "handovers", path: "handovers", icon: Inbox },
      { key: "apps", path: "apps", icon: Blocks },
    ],
  },
  {
    key: "playground",
    entries: [
      { key: "playgroundAgents", path: "playground", icon: FlaskConical },
      { key: "playgroundKnowledge", path: "playground/knowledge", icon: SearchCode },
    ],
  },
  {
    key: "resources",
    entries: [
      { key: "files", path: "files", icon: FileText },
      { key: "tasks", path: "tasks", icon: ListTodo },
    ],
  },
  {
    key: "account",
    entries: [
      { key: "profile", path: "/account", icon: UserRound },
      { key: "users", path: "users", icon: UsersRound, also: ["roles"] },
      { key: "apiKeys", path: "apiKeys", icon: KeyRound },
      { key: "models", path: "models", icon: Cpu },
    ],
  },
];

/** Address of an entry in a team; without a team only entries from the root have one. */
function entryHref(entry: NavigationEntry, teamCode: string | undefined): string | undefined {
  if (entry.path.startsWith("/")) return entry.path;
  return teamCode && `/teams/${teamCode}/${entry.path}`;
}

export interface OfferedEntry extends Pick<NavigationEntry, "key" | "icon"> {
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
    return href && canOpen(href) ? [{ key: entry.key, icon: entry.icon, href }] : [];
  });
}

/**
 * href of an address's entry: the longest entry path that is the address or a parent of it; null for none.
 * @param teamCode the team's slug in the entries; the address may contain its id instead
 */
export function currentEntry(pathname: string, teamCode?: string): string | null {
  const [, team] = /^\/teams\/([^/]+)\//.exec(pathname) ?? [];
  let best: { href: string; length: number } | null = null;
  for (const entry of [...overviewEntries, ...navigationGroups.flatMap((group) => group.entries)]) {
    for (const path of [entry.path, ...(entry.also ?? [])]) {
      const base = path.startsWith("/") ? path : team && `/teams/${team}/${path}`;
      if (!base || (pathname !== base && !pathname.startsWith(`${base}/`))) continue;
      const href = entryHref(entry, team && (teamCode ?? team));
      if (href && (!best || base.length > best.length)) best = { href, length: base.length };
    }
  }
  return best?.href ?? null;
}
