// What the command palette offers, and which of it a few typed letters mean. Shared by the server, which lists it, and the
// browser, which shows it.

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
  /** Where it belongs, such as the team of an agent. */
  hint?: string;
  /** The page that it leads to. Without one it posts `form`. */
  href?: string;
  form?: { action: string; name?: string; value?: string };
  /** Chooses files, which are then offered a place. */
  chooses?: "files";
  /** The question that the agent on the page that it leads to is asked. */
  question?: { agentId: string; text: string };
}

/** Answer of GET /palette.json. */
export interface Palette {
  /** What does not depend on the typed text, which chooses among it. */
  items: PaletteItem[];
  /** What the team has that holds the typed text. */
  found: PaletteItem[];
  /** The agent that the typed text may be a question to. */
  asks: { id: string; name: string } | null;
  words: {
    placeholder: string;
    empty: string;
    results: string;
    /** With {agent} and {question}. */
    ask: string;
    groups: Record<PaletteGroup, string>;
  };
}

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** How well a label answers to the words: lower is better, null not at all. */
function rank({ label, hint = "" }: PaletteItem, words: string[]): number | null {
  const name = plain(label);
  const all = `${name} ${plain(hint)}`;
  if (!words.every((word) => all.includes(word))) return null;
  const first = words[0] ?? "";
  if (name.startsWith(first)) return 0;
  return name.split(/[\s-]+/).some((part) => part.startsWith(first)) ? 1 : 2;
}

/** The items that hold every typed word, accents aside, the closest first; all of them for no text. */
export function matching(items: PaletteItem[], query: string): PaletteItem[] {
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

/** The lines in the order that they are shown in: by group while nothing is typed, else what fits best; last a question to an agent. */
export function lines({ items, asks, words }: Palette, found: PaletteItem[], query: string): PaletteItem[] {
  const text = query.trim();
  const own = matching(items, text).slice(0, MOST_SHOWN);
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
