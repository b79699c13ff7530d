// Renders a page to HTML: the main region first, then, for a document, the layout around it.
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { TimeZone } from "../client/time-zone.ts";
import { currentEntry } from "../layouts/navigation-entries.ts";
import type { ShownPage } from "../request/answer-page.ts";
import { i18nFor, resources } from "../request/i18n.ts";
import { homeOf } from "../request/policy.ts";
import type { RequestScope } from "../request/request-scope.ts";
import { hasSession } from "../request/session.ts";
import { TypedText } from "../ui/TypedText.tsx";
import type { FormState } from "./action.ts";
import { layoutHtml, layoutKey, MAIN_MARK } from "./layout-html.tsx";
import { type Frame, type RenderContext, RenderContextProvider } from "./render-context.tsx";
import type { Rendered } from "./rendered.ts";
import { I18nextProvider } from "./server-translations.tsx";
import { documentTitle } from "./title.ts";
import { watchErrors, withUnmarked } from "./unmarked-errors.ts";

export interface RenderedPage extends Rendered {
  /** The layout's HTML around the main region; empty for a payload. */
  body: string;
  /** The refusal of a posted form that the page no longer has, for example because its row is gone. */
  unshown: FormState["failure"];
}

function frameOf(request: RequestScope): Frame {
  const { locale, theme, user, team, teams, modelsOffline, url, headers, cookies } = request;
  return {
    locale,
    theme,
    user: user && { name: user.name, email: user.email, isAdmin: user.isAdmin ?? false },
    // A session that the API refused is no longer among the cookies (viewer.ts).
    hasSession: user !== null || hasSession(cookies),
    team: team && { id: team.id, name: team.name, codename: team.codename, permissions: team.permissions },
    teams: teams.map((one) => ({ id: one.id, name: one.name, home: homeOf(one) })),
    // A model connected in the app takes precedence over the environment's.
    modelsOffline: modelsOffline && !team?.hasModel,
    current: currentEntry(url.pathname, team?.codename),
    isMac: /Macintosh|iPad|iPhone/.test(headers.get("user-agent") ?? ""),
  };
}

/** Renders a page, with the layout around it unless the browser requested only the payload. */
export function renderPage(answer: ShownPage, request: RequestScope): RenderedPage {
  const { page, routeParams, data, problem } = answer;
  const i18n = i18nFor(request.locale);
  const frame = frameOf(request);
  const contextOf = (form: FormState | undefined): RenderContext => ({
    request,
    frame,
    canOpen: request.canOpen,
    t: i18n.t,
    timeZone: request.timeZone,
    routeParams,
    data,
    form,
    shownForms: new Set(),
    problem,
    region: "main",
    islands: [],
    namespaces: new Set(),
    mainHtml: "",
  });
  const html = (node: ReactNode, value: RenderContext) =>
    renderToString(
      <I18nextProvider i18n={i18n}>
        <TimeZone value={value.timeZone}>
          <RenderContextProvider value={value}>{node}</RenderContextProvider>
        </TimeZone>
      </I18nextProvider>,
    );

  const { Page, layout, title } = page;
  const watched = answer.form && watchErrors(answer.form);
  let form = watched?.form;
  let context = contextOf(form);
  let main = html(<Page />, context);
  const complete = watched && answer.form && withUnmarked(answer.form, watched.read, i18n.t);
  if (complete && form && context.shownForms.has(form)) {
    form = complete;
    context = contextOf(form);
    main = html(<Page />, context);
  }
  const unshown = form && !problem && !context.shownForms.has(form) ? form : undefined;
  if (unshown) main = html(<TypedText form={unshown} />, context) + main;
  const around: RenderContext = {
    ...context,
    request: null,
    // A cached layout serves readers in every time zone, so it shows no dates.
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
    unshown: unshown && (withUnmarked(unshown, new Set(), i18n.t) ?? unshown).failure,
  };
}
