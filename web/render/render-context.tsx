// What a server-rendered component can read of its request. Never imported by an island.
import type { TFunction } from "i18next";
import { createContext, use } from "react";
import type { Problem } from "../request/answer-page.ts";
import type { RequestScope } from "../request/request-scope.ts";
import type { FormState } from "./action.ts";
import type { IslandUse } from "./rendered.ts";

/** Everything that a layout may show. The same frame always gives the same HTML, which is cached (layout-html.tsx). */
export interface Frame {
  locale: RequestScope["locale"];
  theme: RequestScope["theme"];
  user: { name: string; email: string; isAdmin: boolean } | null;
  /** True also while the API cannot say whose session it is: the reader may be logged in. */
  hasSession: boolean;
  team: { id: string; name: string; codename: string; permissions: string[] } | null;
  /** `home` is the page that choosing the team opens. */
  teams: { id: string; name: string; home: string }[];
  modelsOffline: boolean;
  /** href of the navigation entry to mark; null for none. */
  current: string | null;
  /** Whether to show a Mac's shortcut keys. */
  isMac: boolean;
}

export interface RenderContext {
  /** Null while a layout is rendered: it may read only the frame. */
  request: RequestScope | null;
  frame: Frame;
  /** True when the viewer may open the link. Pages hide what would be refused. */
  canOpen: RequestScope["canOpen"];
  t: TFunction;
  /** The time zone of the dates on the page. */
  timeZone: string;
  routeParams: Record<string, string>;
  data: unknown;
  form: FormState | undefined;
  /** Posted forms that the page shows again. */
  shownForms: Set<FormState>;
  /** Why the error page is shown. */
  problem: Problem | null;
  /** The region being rendered. Part of the islands' ids, since the layout's islands outlive those of the main region. */
  region: "main" | "layout";
  islands: IslandUse[];
  /** Translation namespaces that the rendered islands read. */
  namespaces: Set<string>;
  /** Inner HTML of the main region, once it is rendered; a placeholder in a cached layout. */
  mainHtml: string;
}

const Context = createContext<RenderContext | null>(null);
export const RenderContextProvider = Context.Provider;

/** The request being rendered. Throws outside a server render. */
export function useRender(): RenderContext {
  const context = use(Context);
  if (!context) throw new Error("useRender() is for server-rendered components only");
  return context;
}

/** What the page's +data returned. */
export function useData<Data>(): Data {
  return useRender().data as Data;
}

/**
 * The state of a form that was posted and is shown again; undefined for the page's other forms.
 * @param fields the hidden fields that tell forms of one name apart
 */
export function useFormState(name: string, fields: Record<string, string> = {}): FormState | undefined {
  const { form } = useRender();
  const isMine =
    form?.name === name &&
    Object.entries(fields).every(([field, value]) => form.values[field]?.[0] === value);
  return isMine ? form : undefined;
}

/**
 * Tells whether a fold that holds these fields must be open: one of them was refused, or the form shows what somebody
 * else has saved.
 */
export function useMustShow(): (...fields: string[]) => boolean {
  const mine = useFormState("");
  const refused = Object.keys(mine?.errors ?? {});
  return (...fields) => mine?.changed === true || refused.some((path) => fields.includes(path));
}

/** The request's scope: viewer, team, locale, address. Not available to layouts, which use useFrame(). */
export function useRequest(): RequestScope {
  const { request } = useRender();
  if (!request) throw new Error("A layout shows its frame alone: what it shows is kept for the next request");
  return request;
}

/** What a layout may show around every page. */
export function useFrame(): Frame {
  return useRender().frame;
}
