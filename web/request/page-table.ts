// Owns the matching of paths to pages by vike's route strings. Compiles them once; vike compiles each of them on every
// request. Does not load pages.
import { z } from "zod";
import { decodePercent } from "#edge-functions/_shared/text/percent.ts";
import type { PageDefinition, PageMatch, PageTable } from "../render/page-definition.ts";

/** Specificity of a route segment: a literal word, a parameter, the end of the route, a wildcard. */
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

/** Sorts the more specific route first. */
function compareRoutes(a: CompiledRoute, b: CompiledRoute): number {
  const length = Math.max(a.segments.length, b.segments.length);
  for (let at = 0; at < length; at += 1) {
    const difference = weights[kindOf(b.segments[at])] - weights[kindOf(a.segments[at])];
    if (difference !== 0) return difference;
  }
  return 0;
}

const uuid = z.uuid();

/** True for a value that the parameter can have. A team has a codename, too; every other id is a UUID. */
const fits = (parameter: string, value: string): boolean =>
  parameter === "teamId" || !/(^id|Id)$/.test(parameter) || uuid.safeParse(value).success;

/** The parameters of a decoded path under a route; null when the path does not match. */
function paramsOf(segments: string[], path: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const kind = kindOf(segment);
    if (kind === "rest") return params;
    const value = path[at];
    if (value === undefined) return null;
    if (kind === "word") {
      if (segment !== value) return null;
    } else {
      const parameter = segment.slice(1);
      if (!fits(parameter, value)) return null;
      params[parameter] = value;
    }
  }
  return segments.length === path.length ? params : null;
}

/** Compiles the pages' routes into a table. */
export function pageTable(pages: PageDefinition[], errorPage: PageDefinition): PageTable {
  const routes = pages.map((page) => ({ page, segments: segmentsOf(page.route) })).sort(compareRoutes);
  return {
    match(pathname): PageMatch | null {
      const path = segmentsOf(pathname).map(decodePercent);
      for (const { page, segments } of routes) {
        const routeParams = paramsOf(segments, path);
        if (routeParams) return { page, routeParams };
      }
      return null;
    },
    errorPage,
  };
}

/** A path without empty segments, the form that our links use. */
export const tidyPath = (pathname: string): string => `/${segmentsOf(pathname).join("/")}`;
