// How the built-in model reads the prompt of any agent.
import { expect, test } from "vitest";
import { questionIn } from "../../supabase/local/models/prompt-reading.ts";

test("the question stands behind the passages and its label", () => {
  const message = "<<<x12>>>\n[1] A: b\n<<<end x12>>>\n\nQuestion: When does it open?";
  expect(questionIn(message)).toBe("When does it open?");
  expect(questionIn("When does it open?")).toBe("When does it open?");
});

test("a pasted text is read from both ends, since what is asked stands before or behind it", () => {
  const pasted = "Dear all, ".repeat(20_000);
  const question = questionIn(`When does it open? ${pasted} And where is it?`);
  expect(question).toMatch(/^When does it open\? .* And where is it\?$/s);
  expect(question.length).toBeLessThanOrEqual(4_001);
});
