// Turns a page into HTML: the main region first, then, for a document, the layout around it.
import { createHash } from "node:crypto";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { layouts } from "../layouts/layouts.ts";
import { currentEntry } from "../layouts/navigation-entries.ts";
import type { ShownPage } from "../server/answer-page.ts";
import { i18nFor, resources } from "../server/i18n.ts";
import type { RequestScope } from "../server/request-scope.ts";
import { type RenderContext, RenderContextProvider } from "./render-context.tsx";
import type { Rendered } from "./rendered.ts";
import { documentTitle } from "./title.ts";

export interface RenderedPage extends Rendered {
  /** The layout's HTML around the main region; empty for a payload. */
  body: string;
}

/** A key for all that the layout shows, so that the browser knows when swapping the main region would not be enough. */
function layoutKey(name: string, { locale, theme, user, team, teams, modelsOffline }: RequestScope): string {
  const shown = JSON.stringify([locale, theme, user?.name, user?.email, team?.id, teams, modelsOffline]);
  return `${name}-${createHash("sha256").update(shown).digest("base64url").slice(0, 12)}`;
}

/** Renders a page, and the layout around it unless the browser only wants the payload. */
export function renderPage(answer: ShownPage, request: RequestScope): RenderedPage {
  const { page, routeParams, data, form, problem } = answer;
  const i18n = i18nFor(request.locale);
  const context: RenderContext = {
    request,
    t: i18n.t,
    routeParams,
    data,
    form,
    problem,
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

  const { Page, layout, title } = page;
  context.mainHtml = html(<Page />);
  let body = "";
  if (!request.wantsPayload) {
    const Layout = layouts[layout];
    context.region = "layout";
    body = html(<Layout />);
  }
  return {
    title: documentTitle(title?.({ t: i18n.t, data, problem })),
    html: context.mainHtml,
    body,
    islands: context.islands,
    messages: Object.fromEntries(
      [...context.namespaces].map((namespace) => [namespace, resources[request.locale]?.[namespace] ?? {}]),
    ),
    layout: layoutKey(layout, request),
    current: currentEntry(request.url.pathname),
  };
}
