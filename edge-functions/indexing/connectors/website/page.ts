// Reads an HTML page: its main text as Markdown, its links, and whether it is a page to read. Pure.
import { Parser } from "htmlparser2";
import { either, eitherOf } from "../../../_shared/language/rules.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { asContent, joinBlocks, markdownOfHtml, titleOf } from "../markup.ts";
import { isLogin, normalizeAddress } from "./address.ts";

export interface Page {
  title: string;
  text: string;
  revision: string;
  /** What of the page is not read. */
  note?: string;
  /** The link targets, each once. */
  links: string[];
  /** The canonical URL that the page declares. */
  canonical?: string;
  /** Why the page is not to be read, in a sentence. */
  problem?: string;
}

interface Marks {
  title: string;
  heading: string;
  links: string[];
  canonical?: string;
  base?: string;
  robots: string;
  date?: string;
  asksForPassword: boolean;
  scripts: number;
  /** The page has an element that scripts fill. */
  hasRoot: boolean;
}

const mostLinks = 2_000;
const linksCut = sentenceOf("websiteLinks");
/** Less text than this is not a page's content. */
const little = 200;
const dates =
  /^(?:article:modified_time|og:updated_time|article:published_time|date|dcterms\.modified|last-modified)$/i;

/** @param address the page's URL */
export function readPage(html: string, address: URL): Page {
  const marks = marksOf(html);
  const fallback = address.pathname === "/" ? address.hostname : address.pathname;
  const title = titleOf(marks.title || marks.heading, fallback);
  const body = markdownOfHtml(html, title);
  const words = body.replace(/[#>*|`\s-]+/g, " ").trim();
  const base = normalizeAddress(marks.base ?? "", address.href)?.href ?? address.href;
  const links = /\bnofollow\b/i.test(marks.robots) ? [] : linksOf(marks.links, base);
  const canonical = marks.canonical && normalizeAddress(marks.canonical, base)?.href;
  return {
    title,
    links,
    ...(canonical ? { canonical } : {}),
    ...reasonOf(marks, title, words, address),
    ...(links.length >= mostLinks ? { note: linksCut } : {}),
    ...asContent(joinBlocks(marks.date ? `Date of the page: ${marks.date}` : "", body)),
  };
}

function linksOf(found: string[], base: string): string[] {
  return [...new Set(found.flatMap((href) => normalizeAddress(href, base)?.href ?? []))].slice(0, mostLinks);
}

/** Why a login page is not read. What was read at its address before may be behind the login. */
export const askedToLogIn = sentenceOf("websiteLoginPage");

const saysNotFound = new RegExp(
  String.raw`\b404\b|${either(({ documents }) => documents?.notFound)}|nicht gefunden`,
  "i",
);
const saysScript = eitherOf(({ documents }) => documents?.needsScript, "i");

function reasonOf(marks: Marks, title: string, words: string, address: URL): { problem?: string } {
  if (/\bno(?:index|ne)\b/i.test(marks.robots)) return { problem: sentenceOf("websiteNoindex") };
  if (words.length < little * 3 && (marks.asksForPassword || isLogin(address)))
    return { problem: askedToLogIn };
  if (words.length < little * 3 && saysNotFound.test(`${title} ${marks.heading}`))
    return { problem: sentenceOf("websiteSoft404") };
  if (words.length < little && (marks.hasRoot || saysScript.test(words)) && marks.scripts > 0)
    return {
      problem: sentenceOf("websiteScripts"),
    };
  if (words === "") return { problem: sentenceOf("websiteEmpty") };
  return {};
}

function marksOf(html: string): Marks {
  const marks: Marks = {
    title: "",
    heading: "",
    links: [],
    robots: "",
    asksForPassword: false,
    scripts: 0,
    hasRoot: false,
  };
  let into: "title" | "heading" | undefined;
  const sax = new Parser({
    onopentag(tag, { href, rel = "", name = "", property = "", itemprop = "", content = "", ...more }) {
      if (tag === "a" && href) marks.links.push(href);
      if (tag === "base" && href) marks.base ??= href;
      if (tag === "link" && href && /\bcanonical\b/i.test(rel)) marks.canonical ??= href;
      if (tag === "meta" && /^(?:robots|parley)$/i.test(name)) marks.robots += ` ${content}`;
      if (tag === "meta" && dates.test(name || property || itemprop)) marks.date ??= dayOf(content);
      if (tag === "meta" && /^dateModified$/i.test(itemprop)) marks.date ??= dayOf(content);
      if (tag === "time" && more.datetime) marks.date ??= dayOf(more.datetime);
      if (tag === "input" && more.type?.toLowerCase() === "password") marks.asksForPassword = true;
      if (tag === "script") marks.scripts++;
      if (/^(?:root|app|__next|__nuxt|gatsby-focus-wrapper)$/.test(more.id ?? "") || tag === "app-root")
        marks.hasRoot = true;
      if (tag === "title" && marks.title === "") into = "title";
      if (tag === "h1" && marks.heading === "") into = "heading";
    },
    ontext(text) {
      if (into && marks[into].length < 1000) marks[into] += text;
    },
    onclosetag(tag) {
      if (tag === "title" || tag === "h1") into = undefined;
    },
  });
  sax.end(html);
  return marks;
}

/** The date at the start of a text, or undefined. */
const dayOf = (moment: string): string | undefined => /^\d{4}-\d\d-\d\d/.exec(moment.trim())?.[0];
