// Owns the matching of paths to pages, by vike's route strings: compiled once, where vike compiles each of them for every request.
// Does not load a page.
import type { PageDefinition, PageMatch, PageTable } from "../renderer/page-definition.ts";
import { decodePath } from "./decode-path.ts";

/** What comes next in a route, by how particular it is: a word, a parameter, the route's end, the rest of a path. */
const weights = { word: 3, parameter: 2, end: 1, rest: 0 };

function kindOf(segment: string | undefined): keyof typeof weights {
  if (segment === undefined) return "end";
  if (segment === "*") return "rest";
  return segment.startsWith("@") ? "parameter" : "word";
}

interface CompiledRoute {
  page: PageDefinition;
  segments: string[];
}

const segmentsOf = (path: string): string[] => path.split("/").filter(Boolean);

/** The more particular route first. */
function compareRoutes(a: CompiledRoute, b: CompiledRoute): number {
  const length = Math.max(a.segments.length, b.segments.length);
  for (let at = 0; at < length; at += 1) {
    const difference = weights[kindOf(b.segments[at])] - weights[kindOf(a.segments[at])];
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The parameters of a path under a route; null where it does not fit. */
function paramsOf(segments: string[], path: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const kind = kindOf(segment);
    if (kind === "rest") return params;
    const given = path[at];
    if (given === undefined) return null;
    if (kind === "parameter") params[segment.slice(1)] = decodePath(given);
    else if (segment !== decodePath(given)) return null;
  }
  return segments.length === path.length ? params : null;
}

/** The table of some pages, each with its route. */
export function pageTable(pages: PageDefinition[], errorPage: PageDefinition): PageTable {
  const routes = pages.map((page) => ({ page, segments: segmentsOf(page.route) })).sort(compareRoutes);
  return {
    match(pathname): PageMatch | null {
      const path = segmentsOf(pathname);
      for (const { page, segments } of routes) {
        const routeParams = paramsOf(segments, path);
        if (routeParams) return { page, routeParams };
      }
      return null;
    },
    errorPage,
  };
}

/** A path without empty segments, as links are written. */
export const tidyPath = (pathname: string): string => `/${segmentsOf(pathname).join("/")}`;
