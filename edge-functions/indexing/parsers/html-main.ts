// Owns which part of a page is its own text, and which is navigation, banners or footers. Reads no text itself.

import { either } from "../../_shared/language/rules.ts";

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

/** Names that pages and their builders give to what surrounds the text. Whole names: "sidebar" is one, "has-sidebar" is not. */
const around = new Set(
  (
    "skip-link skip-to-content breadcrumb breadcrumbs fil-ariane navbar main-navigation site-navigation main-menu primary-menu " +
    "site-header site-footer masthead colophon sidebar widget-area sidenav nav-links post-navigation pagination-nav " +
    "related-posts related-products sharedaddy share-buttons social-share toc tableofcontents table-of-contents " +
    "theme-doc-toc-mobile theme-doc-footer announcement-bar langs toplang bottomlang"
  ).split(" "),
);

const consent = new Set(
  (
    "onetrust-consent-sdk onetrust-banner-sdk cybotcookiebotdialog tarteaucitronroot axeptio_overlay didomi-host " +
    "usercentrics-root cky-consent-container cmplz-cookiebanner cc-window cc-banner qc-cmp2-container"
  ).split(" "),
);
const consentName =
  /(?:^|\s)(?:bandeau|barre|banner|banni[e\u00e8]re|bar|notice|popup)[_-]?(?:cookies?|rgpd|gdpr)(?:$|\s)|(?:^|[\s_-])(?:cookies?|consent|gdpr|rgpd)[\s_-]?(?:banner|bandeau|bar|notice|consent|popup|modal|overlay|dialog|message)(?:$|[\s_-])/;

export type Surrounding = "around" | "consent";

/** Menus, search boxes and consent banners, by the names that pages give them. */
export function surrounding(
  tag: string,
  { role = "", id = "", class: names = "" }: Attributes,
): Surrounding | undefined {
  if (/^(?:dialog|alertdialog)$/i.test(role)) return "consent";
  if (/^(?:navigation|search|banner|contentinfo|menu|menubar)$/i.test(role)) return "around";
  if (tag === "html" || tag === "body" || tag === "main" || tag === "article") return undefined;
  const all = `${id} ${names}`.toLowerCase();
  const each = all.split(/\s+/);
  if (each.some((name) => consent.has(name)) || consentName.test(all)) return "consent";
  return each.some((name) => around.has(name)) ? "around" : undefined;
}

/** Stands for everything outside the main element. */
export const outsideMain = 0;

/**
 * Counts the text, without links, that a reading leaves out because of its name or place. Some pages give their own text the name of
 * a sidebar.
 */
export class LeftOut {
  #kept = 0;
  #elements = new Map<number, number>();

  keep(text: string): void {
    this.#kept += text.trim().length;
  }

  /** @param element the number of its opening tag, or `outsideMain` */
  leaveOut(text: string, element: number, kind: Surrounding): void {
    // A consent banner may be longer than a short page.
    const characters = kind === "consent" ? text.trim().length / 20 : text.trim().length;
    this.#elements.set(element, (this.#elements.get(element) ?? 0) + characters);
  }

  /** The elements to read after all: together they hold far more text than what was kept. */
  ownText(): ReadonlySet<number> {
    const long = [...this.#elements].filter(([, characters]) => characters >= leastCharacters);
    const sum = long.reduce((total, [, characters]) => total + characters, 0);
    return new Set(sum > 4 * this.#kept ? long.map(([element]) => element) : []);
  }
}

/** Inside these, a footer is part of the text. */
export function isOwnText(tag: string): boolean {
  return tag === "main" || tag === "article" || tag === "section" || tag === "blockquote";
}

const toTop = new RegExp(
  String.raw`^\s*(?:[↑⇧▲]\s*)?(?:[↑⇧▲]|${either(({ documents }) => documents?.toTop)})\s*$`,
  "iu",
);

/** A heading's link to itself, and a link back to the top, say nothing to a reader of the text. */
export function isMark(text: string, href: string, isInHeading: boolean): boolean {
  if (!href.includes("#")) return false;
  if (/^[¶§\u{1F517}\u2693\u200b\ufeff\s]+$/u.test(text)) return true;
  if (isInHeading && /^\s*#\s*$/.test(text)) return true;
  return href.startsWith("#") && toTop.test(text);
}
