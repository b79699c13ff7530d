// Turns a page into HTML: the main region first, then, for a document, the layout around it.
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { TimeZone } from "../browser/time-zone.ts";
import { currentEntry } from "../layouts/navigation-entries.ts";
import type { ShownPage } from "../server/answer-page.ts";
import { i18nFor, resources } from "../server/i18n.ts";
import { homeOf } from "../server/policy.ts";
import type { RequestScope } from "../server/request-scope.ts";
import { layoutHtml, layoutKey, MAIN_MARK } from "./layout-html.tsx";
import { type Frame, type RenderContext, RenderContextProvider } from "./render-context.tsx";
import type { Rendered } from "./rendered.ts";
import { I18nextProvider } from "./server-translations.tsx";
import { documentTitle } from "./title.ts";

export interface RenderedPage extends Rendered {
  /** The layout's HTML around the main region; empty for a payload. */
  body: string;
}

function frameOf({ locale, theme, user, team, teams, modelsOffline, url, headers }: RequestScope): Frame {
  return {
    locale,
    theme,
    user: user && { name: user.name, email: user.email, isAdmin: user.isAdmin ?? false },
    team: team && { id: team.id, name: team.name, codename: team.codename, permissions: team.permissions },
    teams: teams.map((one) => ({ id: one.id, name: one.name, home: homeOf(one) })),
    // One that is connected in the app goes before the environment's.
    modelsOffline: modelsOffline && !team?.hasModel,
    current: currentEntry(url.pathname, team?.codename),
    isMac: /Macintosh|iPad|iPhone/.test(headers.get("user-agent") ?? ""),
  };
}

/** Renders a page, and the layout around it unless the browser only wants the payload. */
export function renderPage(answer: ShownPage, request: RequestScope): RenderedPage {
  const { page, routeParams, data, form, problem } = answer;
  const i18n = i18nFor(request.locale);
  const frame = frameOf(request);
  const context: RenderContext = {
    request,
    frame,
    opens: request.opens,
    t: i18n.t,
    timeZone: request.timeZone,
    routeParams,
    data,
    form,
    problem,
    region: "main",
    islands: [],
    namespaces: new Set(),
    mainHtml: "",
  };
  const html = (node: ReactNode, value: RenderContext) =>
    renderToString(
      <I18nextProvider i18n={i18n}>
        <TimeZone value={value.timeZone}>
          <RenderContextProvider value={value}>{node}</RenderContextProvider>
        </TimeZone>
      </I18nextProvider>,
    );

  const { Page, layout, title } = page;
  const main = html(<Page />, context);
  const around: RenderContext = {
    ...context,
    request: null,
    // A layout is kept for readers of every zone, and shows no moment.
    timeZone: "UTC",
    data: undefined,
    form: undefined,
    problem: null,
    region: "layout",
    mainHtml: MAIN_MARK,
  };
  return {
    title: documentTitle(title?.({ t: i18n.t, data, problem })),
    html: main,
    body: request.wantsPayload ? "" : layoutHtml(layout, frame, main, (node) => html(node, around)),
    islands: context.islands,
    messages: Object.fromEntries(
      [...context.namespaces].map((namespace) => [namespace, resources[request.locale]?.[namespace] ?? {}]),
    ),
    layout: layoutKey(layout, frame),
    current: frame.current,
  };
}
