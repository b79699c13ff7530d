// Word differences between two answers.
import { expect, test } from "vitest";
import { wordChanges } from "../../web/pages/teams/@teamId/agents/word-changes.ts";

const showChanges = (before: string, after: string) =>
  wordChanges(before, after)
    .map(({ text, kind }) => (kind === "same" ? text : kind === "added" ? `+(${text})` : `-(${text})`))
    .join("");

test("common text stays, and differing text is marked", () => {
  expect(showChanges("Everyone has 27 days of leave.", "Everyone has 31 days of leave.")).toBe(
    "Everyone has-( 27)+( 31) days of leave.",
  );
  expect(showChanges("One two three", "One two three four")).toBe("One two three+( four)");
  expect(showChanges("the same", "the same")).toBe("the same");
});

test("very different and very long texts are shown one after the other", () => {
  expect(showChanges("Alpha beta", "Gamma delta")).toBe("-(Alpha beta)+(Gamma delta)");
  expect(showChanges("", "New")).toBe("+(New)");
  const long = "word ".repeat(2000);
  expect(wordChanges(long, `${long}x`)).toHaveLength(2);
});
