// Declares the settings of a source of web pages.
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { flag, login, pageAddress, password, paths, wholeNumber } from "../fields.ts";

export const declaration = declare({
  type: "website",
  name: "The website",
  icon: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M2 12h20M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20",
  origin: "service",
  settings: {
    /** The page to start at. Pages of other hosts are not read. */
    startUrl: pageAddress({ placeholder: "https://docs.acme.com" }),
    /** Without a start, only the sitemap's pages are read. */
    sitemapUrl: pageAddress({ placeholder: "https://docs.acme.com/sitemap.xml" }),
    /** Prefixes of the paths to read; all paths when empty. */
    include: paths({ most: 50, placeholder: "/docs/*" }),
    exclude: paths({ most: 50, placeholder: "/blog/*/comments" }),
    /** The maximum number of links from the start. */
    maxDepth: wholeNumber({ least: 0, most: 20, preset: 8 }),
    maxPages: wholeNumber({ least: 1, most: 5000, preset: 500 }),
    respectRobots: flag(true),
  },
  credentials: { name: login(), password: password() },
  login: "optional",
  addresses: ["startUrl", "sitemapUrl"],
  schedules,
  reads: ["pages", "structure", "changes"],
  kinds: ["pages", "skipped", "more"],
});
export type WebsiteConfig = ConfigOf<typeof declaration>;
