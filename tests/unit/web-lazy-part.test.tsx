// A part of an island that cannot be loaded leaves the rest of it as it is.
import { Suspense } from "react";
import { renderToReadableStream } from "react-dom/server.browser";
import { expect, test } from "vitest";
import { lazyPart } from "../../web/client/lazy-part.tsx";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { i18nFor } from "../../web/request/i18n.ts";

async function show(load: () => Promise<() => string>): Promise<string> {
  const Part = lazyPart(load);
  const stream = await renderToReadableStream(
    <I18nextProvider i18n={i18nFor("en")}>
      <p>The chat</p>
      <Suspense fallback="">
        <Part />
      </Suspense>
    </I18nextProvider>,
  );
  await stream.allReady;
  return await new Response(stream).text();
}

test("shows the part, or says in its place that it could not be loaded", async () => {
  expect(await show(async () => () => "The evidence")).toContain("The evidence");
  const html = await show(() => Promise.reject(new TypeError("Failed to fetch dynamically imported module")));
  expect(html).toContain("The chat");
  expect(html).toContain('role="alert"');
});
