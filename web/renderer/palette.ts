// What the command palette offers, and which of it a few typed letters mean. Shared by the server, which lists it, and the
// browser, which shows it.

export type PaletteGroup = "pages" | "actions" | "agents" | "knowledges" | "teams";

export interface PaletteItem {
  id: string;
  group: PaletteGroup;
  label: string;
  /** Where it belongs, such as the team of an agent. */
  hint?: string;
  /** The page that it leads to. Without one it posts `form`. */
  href?: string;
  form?: { action: string; name?: string; value?: string };
}

/** Answer of GET /palette.json. */
export interface Palette {
  items: PaletteItem[];
  /** True where there are more agents or knowledges than `items` holds: then ask again with the typed text. */
  more: boolean;
  words: {
    placeholder: string;
    empty: string;
    results: string;
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
