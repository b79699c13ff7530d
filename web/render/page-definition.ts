// Owns the parts of a page: the types of what its +config.ts, +data.ts, +action.ts and +title.ts export.
import type { ReactNode } from "react";
import type { LayoutName } from "../layouts/layouts.ts";
import type { DataRequest } from "../request/request-scope.ts";
import type { Action } from "./action.ts";
import type { TitleOf } from "./title.ts";

/** Who may open a page, as request/policy.ts decides. */
type Access = "public" | "loggedOutOnly" | "user" | "team" | "admin";

export interface PageConfig {
  /** The page's route, when it is not its folder's path. vike reads it. */
  route?: string;
  layout: LayoutName;
  access: Access;
  /** Permission that the page needs in its team. Readers without it see no link to it. */
  permission?: string;
  /** True when +data does more than read: it then runs after the policy, not in parallel with the viewer. */
  dataWaits?: boolean;
}

export interface DataContext {
  request: DataRequest;
  routeParams: Record<string, string>;
}

/** Loads what a page shows. It may run before the policy knows whether the reader may see the page. */
type Data = (context: DataContext) => unknown;

export interface PageDefinition extends PageConfig {
  /** Such as /teams/@teamId/agents; a * matches the rest of a path. */
  route: string;
  Page: () => ReactNode;
  data?: Data;
  action?: Action;
  title?: TitleOf;
}

export interface PageMatch {
  page: PageDefinition;
  routeParams: Record<string, string>;
}

/** The pages of the app. */
export interface PageTable {
  /** The page at a path; null when there is none. */
  match(pathname: string): PageMatch | null;
  /** Shown when a page does not exist or fails. */
  errorPage: PageDefinition;
}
