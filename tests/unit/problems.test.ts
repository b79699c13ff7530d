// Errors of sources, documents and tasks in the reader's language: every sentence of the catalogue has a complete French form.
import { expect, test } from "vitest";
import { formerSentences, formerWords } from "../../edge-functions/_shared/text/former-problems.ts";
import { problemIn, translateSentence } from "../../edge-functions/_shared/text/problems.ts";
import en from "../../locales/en/problems.json" with { type: "json" };
import fr from "../../locales/fr/problems.json" with { type: "json" };

const gaps = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
const fill = (text: string, value: (name: string) => string) =>
  text.replace(/\{\{(\w+)\}\}/g, (_gap, name: string) => value(name));

test.each(Object.entries(en.sentences))(
  "%s is recognised, and translated to French with its subject",
  (code, text) => {
    const value = (name: string) => `<${name} (1). x>`;
    const said = fill(text, value);
    const params = Object.fromEntries(gaps(text).map((name) => [name, value(name)]));
    expect(problemIn(said)).toEqual({ code, params });
    const french = fr.sentences[code as keyof typeof fr.sentences];
    expect(gaps(french).sort()).toEqual(gaps(text).sort());
    expect(translateSentence(said, "fr")).toBe(fill(french, value));
    expect(translateSentence(said, "en")).toBe(said);
  },
);

test.each(formerSentences)("%s is found in the words of release 1.0.0, and said in French", (code, text) => {
  const value = (name: string) => `<${name} (1). x>`;
  const params = Object.fromEntries(gaps(text).map((name) => [name, value(name)]));
  expect(Object.keys(params).sort()).toEqual(gaps(en.sentences[code]).sort());
  expect(problemIn(fill(text, value))).toEqual({ code, params });
  expect(translateSentence(fill(text, value), "fr")).toBe(fill(fr.sentences[code], value));
});

test("a former word in a gap, and former advice in a sentence, are translated too", () => {
  for (const [code, text] of formerWords)
    expect(translateSentence(`“a.pdf” is named like a PDF but its content is ${text}.`, "fr")).toContain(
      fr.words[code],
    );
  expect(
    translateSentence(
      "Jira does not accept these credentials: they are wrong, expired or revoked. Make a new API token at id.atlassian.com, for an account that sees the projects, and enter it at the source.",
      "fr",
    ),
  ).toMatch(/^Jira n’accepte pas .* révoqués\. Créez un nouveau jeton/);
});

test("a warning about an attachment is translated whole, and a list of titles title by title", () => {
  expect(translateSentence("In the attachment “a.pdf”: Damaged pages were left out: 2, 5–9.", "fr")).toBe(
    "Pièce jointe « a.pdf ». Pages endommagées, ignorées : 2, 5–9.",
  );
  expect(translateSentence("Attached files that were not read: “a.png”, “b.docx”.", "fr")).toBe(
    "Fichiers joints qui n’ont pas été lus : « a.png », « b.docx ».",
  );
});

test("a nested sentence, a quoted title and a file type are translated too", () => {
  expect(
    translateSentence("“OPS-12” cannot be read: Jira sent this issue in a form that cannot be read.", "fr"),
  ).toBe("« OPS-12 » est illisible : Jira a envoyé ce ticket sous une forme illisible.");
  expect(translateSentence("“a.pdf” is named like a PDF but its content is a PNG image.", "fr")).toBe(
    "« a.pdf » est nommé comme un PDF, mais son contenu est une image PNG.",
  );
  expect(translateSentence("“a.txt” is too large: the limit is 50 MiB.", "fr")).toBe(
    "« a.txt » est trop volumineux : la limite est de 50 Mio.",
  );
  expect(
    translateSentence(
      "Jira does not accept these credentials: they are wrong, expired or revoked. Create a new API token at id.atlassian.com with an account that can see the projects, and enter it in the source's settings.",
      "fr",
    ),
  ).toMatch(/^Jira n’accepte pas .* révoqués\. Créez un nouveau jeton/);
  expect(translateSentence("Somebody else's words.", "fr")).toBe("Somebody else's words.");
});
