// How far a reply is supported, with a model as judge: the claims it votes on, the effect of its votes, and the positions of the rest once
// unsupported claims are removed.

import { describe, expect, it, test } from "vitest";
import type { ChatOptions, ModelClient } from "../../edge-functions/_shared/models/model-client.ts";
import { claimsIn } from "../../edge-functions/answering/claims.ts";
import { checkSupport, leaveOut } from "../../edge-functions/answering/support.ts";
import fc from "../support/property-cases.ts";
import { say, sayIn } from "../support/words.ts";

type Vote = "yes" | "no" | "silence";

const usage = { type: "usage" as const, promptTokens: 90, completionTokens: 9 };

/** A judge that votes on claims with these words, and on no others. */
function judge(votes: Record<string, Vote>, { isOffline = false } = {}) {
  const asked: ChatOptions[] = [];
  const models: ModelClient = {
    inUse: { chat: "judge", embedding: "none", dimensions: 1, offline: isOffline },
    embed: () => Promise.reject(new Error("A reply is checked without vectors")),
    async *chatStream(options) {
      asked.push(options);
      const [, claims = ""] = String(options.messages.at(-1)?.content).split("The claims:\n");
      for (const line of claims.split("\n")) {
        const [, vote] = Object.entries(votes).find(([words]) => line.includes(words)) ?? [];
        if (vote && vote !== "silence") yield { type: "delta", text: `${line.split(":")[0]}: ${vote}\n` };
      }
      yield usage;
    },
  };
  return { models, asked };
}

const content = "Guests park behind the hall. The hall has 40 seats. It was built by the town.";
const passage = (index: number, text: string) => ({
  index,
  content: text,
  documentId: `d${index}`,
  sourceId: "s",
  chunkId: `c${index}`,
  title: `Document ${index}`,
  url: null,
  heading: "",
  page: null,
  preface: "",
});

function check(
  reply: string,
  { models }: ReturnType<typeof judge>,
  texts: string[] = [content],
  cited = texts,
) {
  return checkSupport(models, {
    reply,
    passages: texts.map((text, at) => passage(at + 1, text)),
    citations: cited.map((text, at) => ({ ...passage(at + 1, text), quote: text })),
    known: "",
    model: "judge",
    signal: new AbortController().signal,
  });
}

const verbatim = "Guests park behind the hall [1].";
const wrong = "The hall has 50 seats [1].";
const open = "Visitors leave their cars there [1].";
const other = "The municipality paid for it [1].";
const gap = "I found nothing about fees.";
const votes = (one: Vote, two: Vote = "silence") => judge({ cars: one, municipality: two });

describe("a reply", () => {
  test.each<[state: string, reply: string, model: ReturnType<typeof judge>]>([
    ["answered", verbatim, votes("silence")],
    ["answered", `${verbatim} ${open}`, votes("yes")],
    ["notFound", open, votes("no")],
    ["notFound", wrong, votes("silence")],
    ["notFound", `${wrong} ${gap}`, votes("silence")],
    ["notFound", gap, votes("silence")],
    ["partly", `${verbatim} ${wrong}`, votes("silence")],
    ["partly", `${open} ${other}`, votes("yes", "no")],
    ["partly", `${open} ${other}`, votes("silence", "no")],
    ["partly", `${verbatim} ${gap}`, votes("silence")],
    ["partly", `${open} ${gap}`, votes("silence")],
    ["partly", `I am not sure. The closest I found is:\n\n${verbatim}`, votes("silence")],
    [
      "partly",
      `${say("answers:closest")}\n\n${verbatim}\n\n${say("answers:related")}\n\n- ${verbatim}`,
      votes("silence"),
    ],
    ["notFound", `${say("answers:nothingClose")}\n\n${verbatim}`, votes("silence")],
    ["notFound", `${sayIn("fr")("answers:nothingClose")}\n\n${verbatim}`, votes("silence")],
    ["notFound", `The text doesn't answer this. The closest I found is:\n\n${verbatim}`, votes("silence")],
    ["partly", `${verbatim} It does not answer the rest. The closest I found is:`, votes("silence")],
    ["partly", `${verbatim}\n\nThe text doesn't answer the rest. The closest I found is:`, votes("silence")],
    ["answered", `The closest office is:\n\n${verbatim}`, votes("silence")],
    ["unchecked", open, votes("silence")],
    ["unchecked", `${verbatim} ${open}`, votes("silence")],
    ["unchecked", "Hello, and welcome.", votes("silence")],
  ])("is %s: %j", async (state, reply, model) => {
    expect((await check(reply, model)).support.state).toBe(state);
  });

  it("reports that two documents disagree, without its own date, whatever else is known", async () => {
    const [old, now] = [25, 27].map((days) => `Every employee gets ${days} days of paid leave per year.`);
    const { support } = await check(`${old} [1] ${now} [2]`, votes("silence"), [old ?? "", now ?? ""]);
    expect(support.state).toBe("disagree");
    expect(support.disagreement).toEqual([
      { citation: 1, quote: old, date: null },
      { citation: 2, quote: now, date: null },
    ]);
    expect((await check(verbatim, votes("silence"))).support.disagreement).toEqual([]);
  });

  it("that states a value and cites a missing passage is unsupported", async () => {
    const { support } = await check("The hall has 40 seats [1].", votes("yes"), [], [content]);
    expect(support.claims).toMatchObject([{ supported: false, reason: "value" }]);
  });
});

describe("the judge", () => {
  it("votes once on the claims that the literal check leaves open; votes and cost are stored", async () => {
    const model = votes("yes", "no");
    const reply = `${verbatim} ${open} ${wrong} ${other}`;
    const { support, gone, usage: used } = await check(reply, model);
    expect(support.claims).toEqual([
      { text: "Guests park behind the hall", citations: [1], supported: true, end: 27 },
      { text: "Visitors leave their cars there", citations: [1], supported: true, end: expect.any(Number) },
      {
        text: "The hall has 50 seats",
        citations: [1],
        supported: false,
        reason: "value",
        end: expect.any(Number),
      },
      {
        text: "The municipality paid for it",
        citations: [1],
        supported: false,
        reason: "judge",
        end: expect.any(Number),
      },
    ]);
    for (const { text, end } of support.claims) expect(reply.slice(0, end ?? 0).endsWith(text)).toBe(true);
    expect(gone.map(({ text }) => text)).toEqual(["The hall has 50 seats", "The municipality paid for it"]);
    expect(used).toEqual(usage);
    expect(model.asked).toHaveLength(1);
    const shown = String(model.asked[0]?.messages.at(-1)?.content);
    expect(shown).toContain(content);
    expect(shown).toContain("cars");
    expect(shown).not.toContain("50 seats");
  });

  it("is not called when the literal check decides everything", async () => {
    const model = votes("no");
    expect((await check(`${verbatim} ${wrong}`, model)).usage).toBeNull();
    expect(model.asked).toEqual([]);
  });

  it("is not the built-in model, which quotes: claims without a contradiction are supported", async () => {
    const model = judge({ cars: "no" }, { isOffline: true });
    const { support, usage: used } = await check(`${open} ${wrong}`, model);
    expect(support.claims.map(({ supported }) => supported)).toEqual([true, false]);
    expect(used).toBeNull();
    expect(model.asked).toEqual([]);
  });

  it("that fails leaves claims unchecked and removes none", async () => {
    const model = votes("yes");
    model.models.chatStream = () => {
      throw new Error("Out of order");
    };
    const { support, gone } = await check(`${verbatim} ${open}`, model);
    expect(support.claims.map(({ supported }) => supported)).toEqual([true, null]);
    expect(support.state).toBe("unchecked");
    expect(gone).toEqual([]);
  });
});

describe("removing unsupported claims", () => {
  it("changes nothing when there are none", async () => {
    const { support, gone } = await check(verbatim, votes("silence"));
    const left = leaveOut(verbatim, support, gone);
    expect(left.reply).toBe(verbatim);
    expect(left.support).toBe(support);
  });

  it("keeps the others with their new positions, repeated words included", async () => {
    const kinds = fc.array(fc.constantFrom(verbatim, wrong, open, other, gap), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(kinds, fc.constantFrom(" ", "\n\n"), async (said, between) => {
        const reply = said.join(between);
        const { support, gone } = await check(reply, votes("yes", "no"));
        const left = leaveOut(reply, support, gone);
        expect(left.reply).toBe(said.filter((one) => one !== wrong && one !== other).join(between));
        expect(left.support).toMatchObject({ state: support.state, disagreement: support.disagreement });
        let last = 0;
        for (const [at, { text, supported, end }] of left.support.claims.entries()) {
          expect(text).toBe(support.claims[at]?.text);
          if (!supported) {
            expect(end).toBeNull();
            continue;
          }
          expect(left.reply.slice(0, end ?? 0).endsWith(text)).toBe(true);
          expect(end).toBeGreaterThan(last);
          last = end ?? 0;
        }
      }),
      { numRuns: 50 },
    );
  });

  it("finds a claim again that is too long to be repeated in full", async () => {
    const long = `Guests ${"walk and ".repeat(80)}park`;
    const reply = `${wrong} ${long} [1].`;
    const { support, gone } = await check(reply, votes("silence"), [long]);
    const left = leaveOut(reply, support, gone);
    expect(left.reply).toBe(`${long} [1].`);
    expect(left.support.claims[1]).toMatchObject({ text: long.slice(0, 500), end: long.length });
    expect(claimsIn(left.reply)).toHaveLength(1);
  });

  it("reports no position for a claim that is not in the reply, and the others' own", () => {
    const support = {
      state: "partly" as const,
      claims: [
        { text: "It is elsewhere", citations: [1], supported: true, end: 15 },
        { text: "It stays", citations: [1], supported: true, end: 99 },
      ],
      disagreement: [],
    };
    const [elsewhere, stays] = support.claims;
    expect(leaveOut(wrong, support, claimsIn(wrong))).toEqual({
      reply: "",
      support: {
        ...support,
        claims: [
          { ...elsewhere, end: null },
          { ...stays, end: null },
        ],
      },
    });
    expect(leaveOut(`${wrong} It stays [1].`, support, claimsIn(wrong))).toEqual({
      reply: "It stays [1].",
      support: {
        ...support,
        claims: [
          { ...elsewhere, end: null },
          { ...stays, end: "It stays".length },
        ],
      },
    });
  });
});
