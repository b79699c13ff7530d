// Loads a content page in the request's language, with its subpages. Unknown slugs are "not found".
import { marked } from "marked";
import { NotFound } from "../../render/outcome.ts";
import type { DataContext } from "../../render/page-definition.ts";
import { summaryOf } from "./summary.ts";

const files = import.meta.glob<string>("../../content/*/**/*.md", {
  eager: true,
  query: "?raw",
  import: "default",
});

export interface ContentLink {
  href: string;
  title: string;
  summary: string;
}

export interface ContentData {
  title: string;
  html: string;
  /** The subpages, ordered by the comment in the first line of each text. */
  pages: ContentLink[];
  /** The parent page. */
  parent: ContentLink | null;
}

const textOf = (locale: string, slug: string): string | undefined =>
  files[`../../content/${locale}/${slug}.md`] ?? files[`../../content/en/${slug}.md`];

const titleOf = (text: string, slug: string): string => /^# (.+)$/m.exec(text)?.[1] ?? slug;

/** "<!-- order: 2 -->" at the start of a text sets its position among its siblings. */
const orderOf = (text: string): number => Number(/^<!-- order: (\d+) -->/.exec(text)?.[1] ?? 99);

function link(locale: string, slug: string): ContentLink {
  const text = textOf(locale, slug) ?? "";
  return { href: `/${slug}`, title: titleOf(text, slug), summary: summaryOf(text) };
}

/** English has every page, so its files are the list of pages. */
function pagesUnder(locale: string, slug: string): ContentLink[] {
  return Object.keys(files)
    .map((path) => /\/content\/en\/(.+)\.md$/.exec(path)?.[1] ?? "")
    .filter((name) => name.startsWith(`${slug}/`))
    .sort((a, b) => orderOf(textOf("en", a) ?? "") - orderOf(textOf("en", b) ?? ""))
    .map((name) => link(locale, name));
}

export async function data({ request }: DataContext): Promise<ContentData | NotFound> {
  const { locale, supportEmail, url } = request;
  const slug = url.pathname.slice(1).replace(/\/$/, "");
  const text = textOf(locale, slug);
  if (text === undefined) return new NotFound();
  const parent = slug.includes("/") ? slug.slice(0, slug.lastIndexOf("/")) : null;
  return {
    title: titleOf(text, slug),
    html: await marked.parse(text.replaceAll("{{supportEmail}}", supportEmail)),
    pages: pagesUnder(locale, slug),
    parent: parent && textOf(locale, parent) !== undefined ? link(locale, parent) : null,
  };
}
