// What the playground shows of a passage's scores, in the page's language.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PassageRanks } from "../../web/pages/teams/@teamId/playground/PassageRanks.tsx";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { i18nFor } from "../../web/request/i18n.ts";

test.each([
  ["en", "0.00"],
  ["fr", "0,00"],
] as const)("a score just below zero has no sign (%s)", (language, shown) => {
  const markup = renderToStaticMarkup(
    <I18nextProvider i18n={i18nFor(language)}>
      <PassageRanks score={-0.004} vectorRank={1} vectorScore={-0.004} textRank={null} textScore={null} />
    </I18nextProvider>,
  );
  const numbers = [...markup.matchAll(/>([^<>]*\d[.,]\d\d)</g)].map(([, number]) => number);
  expect(numbers).toEqual([shown, shown]);
});
