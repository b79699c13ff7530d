// The sources below a reply: what a document marks up is shown, and no sign of it.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { citedSources } from "../../web/pages/chats/cited-sources.ts";
import { Sources } from "../../web/pages/chats/Sources.tsx";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { i18nFor } from "../../web/request/i18n.ts";

test("the first words of a quote have struck words struck, and bold ones without stars", () => {
  const place = { sourceId: "s", documentId: "d", chunkId: "c", title: "letter.odt", url: null };
  const quote = "The **stand** costs ~~900 euros~~ 750 euros.";
  const markup = renderToStaticMarkup(
    <I18nextProvider i18n={i18nFor("en")}>
      <Sources messageId="m" sources={citedSources([{ ...place, index: 1, quote }])} />
    </I18nextProvider>,
  );
  expect(markup).toContain("The stand costs <s>900 euros</s> 750 euros.");
});
