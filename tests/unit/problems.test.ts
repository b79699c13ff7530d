// What goes wrong with sources, documents and tasks is said in the reader's language: every sentence that the code makes is in
// the catalogue, and every sentence of the catalogue comes out whole in French.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inLanguage, problemIn } from "../../edge-functions/_shared/text/problems.ts";
import en from "../../locales/en/problems.json" with { type: "json" };
import fr from "../../locales/fr/problems.json" with { type: "json" };

const gaps = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
const fill = (text: string, value: (name: string) => string) =>
  text.replace(/\{\{(\w+)\}\}/g, (_gap, name: string) => value(name));

test.each(Object.entries(en.sentences))(
  "%s is found again, and said in French with what it is about",
  (code, text) => {
    const value = (name: string) => `<${name} (1). x>`;
    const said = fill(text, value);
    const params = Object.fromEntries(gaps(text).map((name) => [name, value(name)]));
    expect(problemIn(said)).toEqual({ code, params });
    const french = fr.sentences[code as keyof typeof fr.sentences];
    expect(gaps(french).sort()).toEqual(gaps(text).sort());
    expect(inLanguage(said, "fr")).toBe(fill(french, value));
    expect(inLanguage(said, "en")).toBe(said);
  },
);

test("a sentence within a sentence, a quoted title and a kind of file are translated too", () => {
  expect(
    inLanguage("“OPS-12” cannot be read: Jira sent this issue in a form that cannot be read.", "fr"),
  ).toBe("« OPS-12 » est illisible : Jira a envoyé ce ticket sous une forme illisible.");
  expect(inLanguage("“a.pdf” is named like a PDF but its content is a PNG image.", "fr")).toBe(
    "« a.pdf » est nommé comme un PDF, mais son contenu est une image PNG.",
  );
  expect(inLanguage("“a.txt” is too large: the limit is 50 MiB.", "fr")).toBe(
    "« a.txt » est trop volumineux : la limite est de 50 Mio.",
  );
  expect(
    inLanguage(
      "Jira does not accept these credentials: they are wrong, expired or revoked. Create a new API token at id.atlassian.com with an account that can see the projects, and enter it in the source's settings.",
      "fr",
    ),
  ).toMatch(/^Jira n’accepte pas .* révoqués\. Créez un nouveau jeton/);
  expect(inLanguage("Somebody else's words.", "fr")).toBe("Somebody else's words.");
});

/** Every literal that the code gives to an error for people, with a letter in each of its gaps. */
function literals(): string[] {
  const all: string[] = [];
  const makers =
    /new (?:SourceRefused|SourceUnavailable|ItemUnreadable|DocumentProblem)\(\s*(`[^`]*`|"[^"]*")|new (?:ModelError|OutboundError)\(\s*"\w+",\s*(`[^`]*`|"[^"]*")|(?:problem|renew):\s*(`[^`]*`|"[^"]*")/g;
  /** What the fields of a connector refuse. */
  const refusals = /\bmessage(?::| =)\s*()()(`[^`]*`|"[^"]*")/g;
  const files = ["indexing", "_shared"].flatMap((folder) =>
    readdirSync(`edge-functions/${folder}`, { recursive: true, encoding: "utf8" }).map((name) =>
      join("edge-functions", folder, name),
    ),
  );
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    const code = readFileSync(file, "utf8");
    const ofFields = /connectors\/(?:fields|declaration|[\w-]+\/declaration)\.ts$/.test(file);
    for (const found of [...code.matchAll(makers), ...(ofFields ? code.matchAll(refusals) : [])]) {
      const literal = found[1] ?? found[2] ?? found[3] ?? "";
      // "forbidden" and the like are codes; a sentence has spaces.
      if (literal.includes(" ")) all.push(literal.slice(1, -1).replace(/\$\{[^}]*\}/g, "X"));
    }
  }
  return all;
}

test("no sentence that the code makes lacks its place in the catalogue", () => {
  const made = literals();
  expect(made.length).toBeGreaterThan(35);
  // All gaps: what stands in them is looked for above, "{{host}} must be called over https://." and others.
  const whole = made.filter((sentence) => /[a-z]{3}/.test(sentence));
  expect(whole.filter((sentence) => !problemIn(sentence))).toEqual([]);
});
