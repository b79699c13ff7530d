// What a team reads about its storage: a size in the page's language, or its share of the operator's limit.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StorageUse } from "../../web/pages/teams/@teamId/files/StorageUse.tsx";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { i18nFor } from "../../web/request/i18n.ts";
import { sayIn } from "../support/words.ts";

const MIB = 2 ** 20;

const show = (language: "en" | "fr", used: number, limit: number | null) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18nFor(language)}>
      <StorageUse storage={{ used, limit }} />
    </I18nextProvider>,
  );

test.each([
  ["en", "23.4 kB"],
  ["fr", "23,4 ko"],
] as const)("without a limit its size is shown as that of a file (%s)", (language, size) => {
  const text = show(language, 23_400, null).replaceAll(/\s/g, " ");
  expect(text).toContain(sayIn(language)("files:storage.used", { size }));
});

test("with a limit it is shown in the operator's unit, and a team that is full is told what to do", () => {
  const say = sayIn("en");
  const roomy = show("en", 3 * MIB, 10 * MIB);
  expect(roomy).toContain(say("files:storage.usedOf", { used: 3, limit: 10 }));
  expect(roomy).not.toContain(say("files:storage.more"));
  const full = show("en", 10 * MIB, 10 * MIB);
  expect(full).toContain(say("files:storage.full"));
  expect(full).toContain(say("files:storage.more"));
});
