// The model as a judge: it votes three times on facts that are not in the answer literally, and on nothing else.
import { afterEach, beforeEach, expect, test } from "vitest";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { judgeFindings } from "../../edge-functions/testing/judge.ts";
import { type Expectation, findingsOf, verdictOf } from "../../edge-functions/testing/verdict.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";

let openai: OpenAiFake;
beforeEach(async () => {
  openai = await startOpenAiFake();
});
afterEach(() => openai.stop());

const answered = {
  text: "You get just over five weeks, 27 days in all.",
  citedDocumentIds: [],
  unanswered: false,
};
const expected: Expectation = {
  question: "How much leave?",
  facts: ["27 days", "more than five weeks", "paid"],
  expectedDocumentId: null,
  expectedTitle: null,
  mustRefuse: false,
};

async function verdict(votes: string[], wanted = expected, model = "gpt-4.1-mini") {
  let asked = 0;
  openai.reply = () => votes[asked++ % votes.length] ?? "";
  const models = modelClient({
    OPENAI_BASE_URL: openai.baseUrl,
    OPENAI_API_KEY: "test",
    OPENAI_MODEL: model,
  });
  const findings = await judgeFindings(models, wanted, answered, {
    literal: findingsOf(wanted, answered),
    signal: new AbortController().signal,
  });
  return { facts: findings.facts, refused: findings.refused, verdict: verdictOf(wanted, findings) };
}

test("two of three votes that agree decide each fact that is not literally there", async () => {
  const votes = ["1: yes\n2: yes", "1: yes\n2: no", "1: no\n2: yes"];
  expect(await verdict(votes)).toMatchObject({ facts: [true, true, true], verdict: "passed" });
  expect(openai.requests).toHaveLength(3);
  expect(JSON.stringify(openai.requests[0]?.body)).not.toContain("1: 27 days");
  expect(await verdict(["1: no\n2: yes"])).toMatchObject({ facts: [true, false, true], verdict: "failed" });
});

test("a tie or an unusable vote decides nothing", async () => {
  expect(await verdict(["1: yes\n2: yes", "1: no\n2: yes", "I cannot say."])).toMatchObject({
    facts: [true, null, true],
    verdict: "undecided",
  });
  openai.next(...Array(9).fill({ how: "status", status: 400 }));
  expect(await verdict(["1: yes\n2: yes"])).toMatchObject({
    facts: [true, null, null],
    verdict: "undecided",
  });
});

test("one usable vote of three decides nothing; two that agree decide", async () => {
  const alone = ["1: yes\n2: no", "I cannot say.", ""];
  expect(await verdict(alone)).toMatchObject({ facts: [true, null, null], verdict: "undecided" });
  const two = ["1: yes\n2: no", "I cannot say.", "1: yes\n2: no"];
  expect(await verdict(two)).toMatchObject({ facts: [true, true, false], verdict: "failed" });
});

test("a refusal in the model's own words is voted on; offline, literal matches decide", async () => {
  const refusal = { ...expected, facts: [], mustRefuse: true };
  expect(await verdict(["1: yes"], refusal)).toMatchObject({ refused: true, verdict: "passed" });
  expect(await verdict(["1: no"], refusal)).toMatchObject({ refused: false, verdict: "failed" });
  openai.requests.length = 0;
  expect(await verdict(["1: yes\n2: yes"], expected, "offline-extract")).toMatchObject({
    facts: [true, false, false],
    verdict: "failed",
  });
  expect(openai.requests).toHaveLength(0);
});
