// Owns the pages of this build: vike lists their routes, the bundle contains their modules. Loaded once, at start.
import { getGlobalContextAsync } from "vike/server";
import type { PageConfig, PageDefinition, PageTable } from "../render/page-definition.ts";
import { pageTable } from "./page-table.ts";

type Modules = Partial<
  Pick<PageDefinition, "Page" | "data" | "action" | "title"> & { default: Partial<PageConfig> }
>;

const files = import.meta.glob<Modules>("../pages/**/+{Page,data,action,title,config}.{ts,tsx}", {
  eager: true,
});

const ERROR_PAGE = "/pages/_error";

/** A page's +config.ts, with defaults from the folders above it. */
function configOf(pageId: string): Partial<PageConfig> {
  const names = pageId.split("/");
  const folders = names.map((_name, at) => names.slice(0, at + 1).join("/"));
  return Object.assign({}, ...folders.map((folder) => files[`..${folder}/+config.ts`]?.default));
}

/** Everything that the files in a page's folder export. */
function modulesOf(pageId: string): Modules {
  const folder = `..${pageId}/+`;
  return Object.assign(
    {},
    ...Object.entries(files).flatMap(([path, module]) => (path.startsWith(folder) ? [{ ...module }] : [])),
  );
}

function definePage(pageId: string, route: string): PageDefinition {
  const { Page, data, action, title } = modulesOf(pageId);
  const { layout, access, ...more } = configOf(pageId);
  if (!layout || !access || !Page) throw new Error(`${pageId} lacks a +Page.tsx, a layout or an access`);
  return { ...more, layout, access, route, Page, data, action, title };
}

async function loadPages(): Promise<PageTable> {
  const { pages } = await getGlobalContextAsync(true);
  const routed = Object.entries(pages).flatMap(([pageId, { route }]) =>
    typeof route === "string" ? [definePage(pageId, route)] : [],
  );
  return pageTable(routed, definePage(ERROR_PAGE, ERROR_PAGE));
}

let loaded: PageTable | undefined;

/** Reads the build's routes. Await it before the first request. */
export async function preparePages(): Promise<void> {
  loaded = await loadPages();
}

/** The table of pages. Throws before preparePages() has resolved. */
export function pages(): PageTable {
  if (!loaded) throw new Error("pages() needs preparePages() to be over");
  return loaded;
}
