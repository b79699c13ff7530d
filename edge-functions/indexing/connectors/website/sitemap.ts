// Reads a sitemap: its pages, or the sitemaps of an index. Pure. Source: sitemaps.org/protocol.html.
import { Parser } from "htmlparser2";

export interface Sitemap {
  pages: string[];
  sitemaps: string[];
  /** False for what is no sitemap, damaged or cut off. */
  isWhole: boolean;
}

const ending = /<\/(?:urlset|sitemapindex)\s*>|<(?:urlset|sitemapindex)\b[^<>]*\/>/i;

/** @param most maximum URLs to return */
export function readSitemap(text: string, most: number): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [], isWhole: ending.test(text) };
  if (!/^\s*</.test(text)) {
    // Also accepts a plain list with one URL per line.
    found.pages = text
      .split(/\s+/)
      .filter((line) => /^https?:\/\//.test(line))
      .slice(0, most);
    found.isWhole = found.pages.length > 0;
    return found;
  }
  let within: "pages" | "sitemaps" | undefined;
  let address: string | undefined;
  const sax = new Parser(
    {
      onopentagname(tag) {
        const name = tag.toLowerCase();
        if (name === "url") within = "pages";
        if (name === "sitemap") within = "sitemaps";
        if (name === "loc" && within) address = "";
      },
      ontext(part) {
        if (address !== undefined && address.length < 3000) address += part;
      },
      onclosetag(tag) {
        const name = tag.toLowerCase();
        if (name === "loc" && within && address !== undefined) {
          if (found[within].length < most) found[within].push(address.trim());
          address = undefined;
        }
        if (name === "url" || name === "sitemap") within = undefined;
      },
    },
    { xmlMode: true },
  );
  sax.end(text);
  return found;
}
