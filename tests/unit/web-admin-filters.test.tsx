// The filters of an admin list: hidden where there is nothing to filter, and shown where they are the way back.
import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { I18nextProvider } from "../../web/render/server-translations.tsx";

let show: (rows: unknown[], search: string) => Promise<string>;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { AdminFilters } = await import("../../web/pages/admin/AdminFilters.tsx");
  const { RenderContextProvider } = await import("../../web/render/render-context.tsx");
  type Context = Parameters<typeof RenderContextProvider>[0]["value"];
  show = async (rows, search) => {
    const i18n = createInstance();
    await i18n.init({ lng: "en", resources: { en: { admin: {}, app: {}, tasks: {} } } });
    const request = { url: new URL(`http://web.test/admin/tasks${search}`) };
    const context = { request, namespaces: new Set() } as unknown as NonNullable<Context>; // The parts that filters read.
    return renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <RenderContextProvider value={context}>
          <AdminFilters
            rows={rows}
            search="name"
            team
            choices={[{ name: "type", label: "Type", options: [] }]}
          />
        </RenderContextProvider>
      </I18nextProvider>,
    );
  };
});

test("without rows and without a filter there are none", async () => {
  expect(await show([], "")).toBe("");
  expect(await show([], "?name=")).toBe("");
});

test("with rows, or with a filter, they are shown", async () => {
  for (const [rows, search] of [
    [[{}], ""],
    [[], "?name=x"],
    [[], "?type=sync"],
    [[], "?teamId=acme"],
    [[], "?page=7"],
  ] as const)
    expect(await show([...rows], search), search).toContain('role="search"');
});
