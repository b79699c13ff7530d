// The entries of the command palette, and how typed letters match them. Shared by the server, which lists them, and the
// browser, which shows them.

export type PaletteGroup =
  | "pages"
  | "actions"
  | "agents"
  | "knowledges"
  | "sources"
  | "documents"
  | "passages"
  | "chats"
  | "teams"
  | "ask";

export interface PaletteItem {
  id: string;
  group: PaletteGroup;
  label: string;
  /** The parent, such as the team of an agent. */
  hint?: string;
  /** Other words that find it; not shown. */
  also?: string;
  /** The page that it opens. Without one it posts `form`. */
  href?: string;
  form?: { action: string; name?: string; value?: string };
  /** Opens the file picker, then offers destinations. */
  chooses?: "files";
  /** The question to send to the agent on the page that it opens. */
  question?: { agentId: string; text: string };
}

/** Response of GET /palette.json. */
export interface Palette {
  /** The entries that the typed text filters. */
  items: PaletteItem[];
  /** The team's content that matches the typed text. */
  found: PaletteItem[];
  /** The agent that the typed text can be sent to as a question. */
  asks: { id: string; name: string } | null;
  words: {
    placeholder: string;
    empty: string;
    results: string;
    /** Contains {agent} and {question}. */
    ask: string;
    groups: Record<PaletteGroup, string>;
  };
}

/** Response with status 401: the session of the page's person has ended. */
export interface EndedPalette {
  title: string;
  /** Leads to the login. */
  item: PaletteItem;
}

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** How well a label matches the words: lower is better, null is no match. */
function rank({ label, hint = "", also = "" }: PaletteItem, words: string[]): number | null {
  const name = plain(label);
  const all = `${name} ${plain(hint)} ${plain(also)}`;
  if (!words.every((word) => all.includes(word))) return null;
  const first = words[0] ?? "";
  if (name.startsWith(first)) return 0;
  return name.split(/[\s-]+/).some((part) => part.startsWith(first)) ? 1 : 2;
}

/**
 * The items with every typed word in their label, their hint or their other words, ignoring accents, best match first; all items for an
 * empty query.
 */
export function filterItems(items: PaletteItem[], query: string): PaletteItem[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items
    .map((item) => ({ item, rank: rank(item, words) }))
    .filter((one): one is { item: PaletteItem; rank: number } => one.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const SHOWN_FIRST: PaletteGroup[] = ["pages", "agents", "knowledges", "actions", "teams"];
const MOST_SHOWN = 60;

/** The lines in display order: by group for an empty query, else by match; a question to an agent comes last. */
export function lines({ items, asks, words }: Palette, found: PaletteItem[], query: string): PaletteItem[] {
  const text = query.trim();
  const own = filterItems(items, text).slice(0, MOST_SHOWN);
  const known = new Set(own.map(({ id }) => id));
  const all = [...own, ...found.filter(({ id }) => !known.has(id))];
  const groups = text ? [...new Set(all.map(({ group }) => group))] : SHOWN_FIRST;
  const shown = groups.flatMap((group) => all.filter((item) => item.group === group));
  if (!asks || !text) return shown;
  const label = words.ask.replace("{agent}", () => asks.name).replace("{question}", () => text);
  const ask: PaletteItem = {
    id: "ask",
    group: "ask",
    label,
    href: `/chats/${asks.id}`,
    question: { agentId: asks.id, text },
  };
  return [...shown, ask];
}
