// Owns the responses of the gallery's server: its index page, each page of the app with samples, each scene. Renders
// with the app's own renderer, layouts and document.
import { documentHtml } from "../render/document.ts";
import { locales } from "../render/locale.ts";
import { NotFound, Redirection, WithStatus } from "../render/outcome.ts";
import type { PageConfig, PageDefinition } from "../render/page-definition.ts";
import { renderPage } from "../render/render-page.tsx";
import { answerFailure, type ShownPage } from "../request/answer-page.ts";
import { ApiFailure } from "../request/api-failure.ts";
import { pageTable } from "../request/page-table.ts";
import { frontPage } from "./front-page.ts";
import { applyOpening, findOpening, openingScript } from "./openings.ts";
import { samplePalette } from "./palette.ts";
import { localeOf, shownRequest, themeOf } from "./request.ts";
import type { State } from "./samples.ts";
import { scenePages } from "./scenes/pages.tsx";

type Answer = (method: string, path: string, state: State) => unknown;
type Modules = Partial<Pick<PageDefinition, "Page" | "data" | "title"> & { default: Partial<PageConfig> }>;

const files = import.meta.glob<Modules>("../pages/**/+{Page,data,title,config}.{ts,tsx}", { eager: true });

/** A page's +config.ts, with defaults from the folders above it. */
function configOf(folder: string): Partial<PageConfig> {
  const names = folder.split("/");
  const folders = names.map((_name, at) => names.slice(0, at + 1).join("/"));
  return Object.assign({}, ...folders.map((one) => files[`../pages${one}/+config.ts`]?.default));
}

/** Every page, without its actions: nothing is posted here. */
function definePages(): PageDefinition[] {
  const modules = new Map<string, Modules>();
  for (const [path, module] of Object.entries(files)) {
    const folder = path.slice("../pages".length, path.lastIndexOf("/+"));
    modules.set(folder, { ...modules.get(folder), ...module });
  }
  return [...modules].flatMap(([folder, { Page, data, title }]) => {
    const { layout, access, route, ...more } = configOf(folder);
    if (!layout || !access || !Page) return [];
    return [{ ...more, layout, access, route: route ?? folder.replace(/\/index$/, ""), Page, data, title }];
  });
}

const pages = definePages();
const errorPage = pages.find(({ route }) => route === "/_error");
if (!errorPage) throw new Error("The app has no error page");
const table = pageTable([...pages, ...scenePages], errorPage);

const stateOf = (name: string | null): State => (name === "empty" || name === "long" ? name : "full");

/** The entries of the command palette. @param from the address of the shown page */
export const answerPalette = (from: URL): unknown => samplePalette(from);

/** The response to a call by an island of a shown page. @returns undefined when there is none */
export function answerCall(method: string, path: string, from: URL, answer: Answer): unknown {
  const state = stateOf(from.searchParams.get("gallery-state"));
  const { answer: opened } = applyOpening(findOpening(from.searchParams.get("gallery-opened")), state);
  return opened(path, answer(method, path, state));
}

/** The document at an address of the gallery; null when there is none. */
export async function answerGallery(url: URL, answer: Answer): Promise<string | null> {
  const { searchParams } = url;
  if (url.pathname === "/gallery") return frontPage(searchParams, locales);
  const path = url.pathname.slice("/gallery".length);
  const shown = new URL(path === "/index" ? "/" : path, url);
  for (const [name, value] of searchParams)
    if (!name.startsWith("gallery-")) shown.searchParams.append(name, value);
  if (path.startsWith("/scene/")) shown.searchParams.set("state", stateOf(searchParams.get("gallery-state")));
  const match = table.match(shown.pathname);
  if (!match) return null;
  const state = searchParams.get("gallery-state");
  const opening = findOpening(searchParams.get("gallery-opened"));
  const { form, toast, answer: opened } = applyOpening(opening, stateOf(state));
  const request = shownRequest(
    {
      url: shown,
      locale: localeOf(searchParams.get("gallery-lang")),
      theme: themeOf(searchParams.get("gallery-theme")),
      isAdmin: path.startsWith("/admin"),
      toast,
      answer: (method, called) => {
        if (state === "error" && called !== "/v1/viewer")
          throw new ApiFailure(called, 503, "Service Unavailable", {
            code: "UNAVAILABLE",
            requestId: "0193a5e0",
          });
        // In the empty state the viewer still has a team.
        return opened(
          called,
          answer(method, called, called === "/v1/viewer" && state === "empty" ? "full" : stateOf(state)),
        );
      },
    },
    table,
  );
  const { page, routeParams } = match;
  let shownPage: ShownPage = {
    kind: "page",
    page,
    routeParams,
    status: 200,
    data: undefined,
    form,
    problem: null,
  };
  try {
    const data = await page.data?.({ request, routeParams });
    if (data instanceof NotFound || data instanceof Redirection)
      throw new Error(`${shown.pathname} shows nothing with these samples`);
    shownPage.data = data instanceof WithStatus ? data.data : data;
  } catch (error) {
    if (!(error instanceof ApiFailure) || state !== "error") throw error;
    const answered = answerFailure(table, request, error);
    if (answered.kind === "page") shownPage = answered;
  }
  const html = documentHtml(renderPage(shownPage, request), request);
  return opening ? html.replace("</body>", () => `${openingScript(opening)}</body>`) : html;
}
