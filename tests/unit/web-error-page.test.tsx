// The error page and the header above it: what it offers to try again, and that only what can be asked for again loads by itself.
import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { I18nextProvider } from "../../web/render/server-translations.tsx";

type Parts = { status: number; method?: string; hasSession?: boolean };
let show: (asked: Parts) => Promise<string>;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { Page } = await import("../../web/pages/_error/+Page.tsx");
  const { PublicHeader } = await import("../../web/layouts/PublicHeader.tsx");
  const { RenderContextProvider } = await import("../../web/render/render-context.tsx");
  type Context = Parameters<typeof RenderContextProvider>[0]["value"];
  show = async ({ status, method = "GET", hasSession = false }) => {
    const i18n = createInstance();
    await i18n.init({ lng: "en", resources: { en: { app: {}, errors: {} } } });
    const request = {
      url: new URL("http://web.test/teams/demo"),
      method,
      id: "r",
      supportEmail: "",
      locale: "en",
      user: null,
    };
    const parts = {
      request,
      frame: { hasSession },
      problem: { status },
      shownForms: new Set(),
      namespaces: new Set(),
    };
    // Only the parts that the page reads.
    const context = parts as unknown as NonNullable<Context>;
    return renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <RenderContextProvider value={context}>
          <PublicHeader />
          <Page />
        </RenderContextProvider>
      </I18nextProvider>,
    );
  };
});

test("is asked for again, and says so", async () => {
  const html = await show({ status: 503 });
  expect(html).toContain("data-retries");
  expect(html).toContain("error.retries");
});

test("is not, after another failure or where something was posted", async () => {
  for (const asked of [{ status: 500 }, { status: 404 }, { status: 503, method: "POST" }])
    expect(await show(asked), JSON.stringify(asked)).not.toContain("retries");
});

test("offers another try only where it may succeed", async () => {
  for (const status of [403, 404, 410])
    expect(await show({ status }), String(status)).not.toContain("tryAgain");
  for (const status of [409, 413, 429, 500, 503])
    expect(await show({ status }), String(status)).toContain("tryAgain");
});

test("offers no login to a reader whose session could not be checked, but the dashboard", async () => {
  const html = await show({ status: 503, hasSession: true });
  expect(html.match(/href="\/dashboard"/g)).toHaveLength(2);
  expect(html).not.toContain('href="/login"');
  const ofStranger = await show({ status: 503 });
  expect(ofStranger).toContain('href="/login"');
  expect(ofStranger).not.toContain("/dashboard");
});
