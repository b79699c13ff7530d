// Owns what a page is made of. Its +config.ts, +data.ts, +action.ts and +title.ts export what these types say.
import type { ReactNode } from "react";
import type { LayoutName } from "../layouts/layouts.ts";
import type { DataRequest } from "../server/request-scope.ts";
import type { Action } from "./action.ts";
import type { TitleOf } from "./title.ts";

/** Who a page is for; server/policy.ts says what comes of it. */
type Access = "public" | "loggedOutOnly" | "user" | "team" | "admin";

export interface PageConfig {
  /** Where the page is, if not at its folder's path; vike reads it. */
  route?: string;
  layout: LayoutName;
  access: Access;
  /** Permission that the page needs in its team. Whoever lacks it is offered no link to it. */
  permission?: string;
  /** True where +data does more than read: it then runs after the policy, not beside the viewer. */
  dataWaits?: boolean;
}

export interface DataContext {
  request: DataRequest;
  routeParams: Record<string, string>;
}

/** Reads what a page shows. It may run before anybody knows whether the reader may see the page. */
type Data = (context: DataContext) => unknown;

export interface PageDefinition extends PageConfig {
  /** Such as /teams/@teamId/agents; a * stands for the rest of a path. */
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
  /** The page at a path; null where there is none. */
  match(pathname: string): PageMatch | null;
  /** Shown instead of a page that is not there or went wrong. */
  errorPage: PageDefinition;
}
