// What every server-rendered component may ask of the request it is rendered for. Never imported by an island.
import type { TFunction } from "i18next";
import { createContext, use } from "react";
import type { Problem } from "../server/answer-page.ts";
import type { RequestScope } from "../server/request-scope.ts";
import type { FormState } from "./action.ts";
import type { IslandUse } from "./rendered.ts";

/** All that a layout may show: of the same frame comes the same HTML, which is kept (layout-html.tsx). */
export interface Frame {
  locale: RequestScope["locale"];
  theme: RequestScope["theme"];
  user: { name: string; email: string; isAdmin: boolean } | null;
  team: { id: string; name: string; codename: string; permissions: string[] } | null;
  /** `home` is where choosing the team leads. */
  teams: { id: string; name: string; home: string }[];
  modelsOffline: boolean;
  /** href of the navigation entry to mark; null for none. */
  current: string | null;
  /** Whose shortcut keys are shown. */
  isMac: boolean;
}

export interface RenderContext {
  /** Null while a layout is rendered, which may show nothing but the frame. */
  request: RequestScope | null;
  frame: Frame;
  /** Whether a link leads somewhere for this viewer: what would be refused is not offered. */
  opens: RequestScope["opens"];
  t: TFunction;
  /** In which moments are shown. */
  timeZone: string;
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
  /** Inner HTML of the main region, once it is known; where a layout is kept, a mark that it takes the place of. */
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

/** The request's scope: viewer, team, locale, address. Not for layouts, which have useFrame(). */
export function useRequest(): RequestScope {
  const { request } = useRender();
  if (!request) throw new Error("A layout shows its frame alone: what it shows is kept for the next request");
  return request;
}

/** What stands around every page. */
export function useFrame(): Frame {
  return useRender().frame;
}
