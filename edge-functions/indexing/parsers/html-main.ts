// Owns which part of a page is its own text, and which is navigation, banners or footers. Reads no text itself.

export type Attributes = Record<string, string>;

/** A main element with less text is ignored: a script fills it later, and the page's words are elsewhere. */
const leastCharacters = 200;

/** The element that contains a page's own text. */
export type MainTag = "main" | "article";

export function isMain(tag: string, { role }: Attributes, main: MainTag): boolean {
  return tag === main || (main === "main" && role === "main");
}

/** The element of the page's own text, if there is exactly one and it holds text. A lone article counts when there is no main. */
export function mainOf(source: string): MainTag | undefined {
  if (/<main[\s>]|role=["']?main\b/i.test(source)) return holdsText(source, "main") ? "main" : undefined;
  return holdsText(source, "article") ? "article" : undefined;
}

function holdsText(source: string, tag: MainTag): boolean {
  const opened = [...source.matchAll(tag === "main" ? /<main[\s>]/gi : /<article[\s>]/gi)];
  const [first] = opened;
  if (!first || opened.length > 1) return false;
  const end = source.toLowerCase().lastIndexOf(`</${tag}`);
  if (end < first.index) return false;
  let characters = 0;
  for (const [text] of source.slice(first.index, end).matchAll(/>[^<]+/g))
    characters += text.trim().length - 1;
  return characters >= leastCharacters;
}

/** Menus, search boxes and consent banners, by the names that pages give them. */
export function isAround({ role = "", id = "", class: names = "" }: Attributes): boolean {
  if (/^(?:navigation|search|banner|contentinfo|menu|menubar|dialog|alertdialog)$/i.test(role)) return true;
  return /(?:^|[\s_-])(?:cookies?|consent|gdpr)[\s_-]?(?:banner|bar|notice|consent|popup|modal|overlay|dialog|message)(?:$|[\s_-])/i.test(
    `${id} ${names}`,
  );
}

/** Inside these, a footer is part of the text. */
export function isOwnText(tag: string): boolean {
  return tag === "main" || tag === "article" || tag === "section" || tag === "blockquote";
}
