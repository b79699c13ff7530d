// What every server-rendered component may ask of the request it is rendered for. Never imported by an island.
import type { TFunction } from "i18next";
import { createContext, use } from "react";
import type { Problem } from "../server/answer-page.ts";
import type { RequestScope } from "../server/request-scope.ts";
import type { FormState } from "./action.ts";
import type { IslandUse } from "./rendered.ts";

export interface RenderContext {
  request: RequestScope;
  t: TFunction;
  routeParams: Record<string, string>;
  data: unknown;
  form: FormState | undefined;
  /** On the error page: why it is shown. */
  problem: Problem | null;
  /** Region that is being rendered; part of the islands' ids, since layout islands outlive the main region's. */
  region: "main" | "layout";
  islands: IslandUse[];
  /** Translation namespaces that the rendered islands read. */
  namespaces: Set<string>;
  /** Inner HTML of the main region, once it is known. */
  mainHtml: string;
}

const Context = createContext<RenderContext | null>(null);
export const RenderContextProvider = Context.Provider;

/** The request being rendered. Throws outside of a server render. */
export function useRender(): RenderContext {
  const context = use(Context);
  if (!context) throw new Error("useRender() is for server-rendered components only");
  return context;
}

/** What the page's +data returned. */
export function useData<Data>(): Data {
  return useRender().data as Data;
}

/** The request's scope: viewer, team, locale, address. */
export function useRequest(): RequestScope {
  return useRender().request;
}
