// Turns a routed page into HTML: the main region first, then, for a document, the layout around it.
import { createHash } from "node:crypto";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import type { PageContextServer } from "vike/types";
import { layouts } from "../layouts/layouts.ts";
import { currentEntry } from "../layouts/navigation-entries.ts";
import { ApiFailure } from "../server/api-failure.ts";
import { i18nFor, resources } from "../server/i18n.ts";
import type { RequestScope } from "../server/request-scope.ts";
import { type RenderContext, RenderContextProvider } from "./render-context.tsx";
import type { Rendered } from "./rendered.ts";
import { documentTitle } from "./title.ts";

export interface RenderedPage extends Rendered {
  /** The layout's HTML around the main region; empty for a payload. */
  body: string;
}

function problemOf({ is404, abortStatusCode, abortReason, errorWhileRendering }: PageContextServer) {
  if (!is404 && !errorWhileRendering) return null;
  const failure = [abortReason, errorWhileRendering].find((error) => error instanceof ApiFailure);
  return { status: failure?.status ?? (is404 ? 404 : (abortStatusCode ?? 500)), failure };
}

/** A key for all that the layout shows, so that the browser knows when swapping the main region would not be enough. */
function layoutKey(name: string, { locale, theme, user, team, teams, modelsOffline }: RequestScope): string {
  const shown = JSON.stringify([locale, theme, user?.name, user?.email, team?.id, teams, modelsOffline]);
  return `${name}-${createHash("sha256").update(shown).digest("base64url").slice(0, 12)}`;
}

/** Renders the page of a pageContext. With `mainOnly` the layout is left out, as a payload needs no more. */
export function renderPage(pageContext: PageContextServer, mainOnly: boolean): RenderedPage {
  const { request, config } = pageContext;
  const i18n = i18nFor(request.locale);
  const context: RenderContext = {
    request,
    t: i18n.t,
    routeParams: pageContext.routeParams ?? {},
    data: pageContext.data,
    form: pageContext.form,
    problem: problemOf(pageContext),
    region: "main",
    islands: [],
    namespaces: new Set(),
    mainHtml: "",
  };
  const html = (node: ReactNode) =>
    renderToString(
      <I18nextProvider i18n={i18n}>
        <RenderContextProvider value={context}>{node}</RenderContextProvider>
      </I18nextProvider>,
    );

  const Page = pageContext.Page as () => ReactNode;
  context.mainHtml = html(<Page />);
  const layoutName = config.layout ?? "default";
  let body = "";
  if (!mainOnly) {
    const Layout = layouts[layoutName];
    context.region = "layout";
    body = html(<Layout />);
  }
  return {
    title: documentTitle(config.title?.({ t: i18n.t, data: pageContext.data, problem: context.problem })),
    html: context.mainHtml,
    body,
    islands: context.islands,
    messages: Object.fromEntries(
      [...context.namespaces].map((namespace) => [namespace, resources[request.locale]?.[namespace] ?? {}]),
    ),
    layout: layoutKey(layoutName, request),
    status: context.problem?.status,
    current: currentEntry(request.url.pathname),
  };
}
