// The worker's pure parts: delays, budgets, the endpoint, embedded text.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { waitMs } from "../../edge-functions/_shared/outbound/retry.ts";
import { Budget } from "../../edge-functions/indexing/budget.ts";
import { newChunkIds } from "../../edge-functions/indexing/chunk-ids.ts";
import { embeddingText } from "../../edge-functions/indexing/chunking.ts";
import { vectorLiteral } from "../../edge-functions/indexing/embedding.ts";
import { writeHalves } from "../../edge-functions/indexing/half-precision.ts";
import { taskBackOff } from "../../edge-functions/indexing/queue.ts";
import { handler } from "../../edge-functions/indexing/server.ts";
import fc from "../support/property-cases.ts";

describe("the delay before a retry", () => {
  it("grows fourfold from 5 s to 10 minutes, less up to half by chance", () => {
    const most = [1, 2, 3, 4, 5, 50].map((attempt) => waitMs(taskBackOff, attempt, 0, () => 0));
    expect(most).toEqual([5_000, 20_000, 80_000, 320_000, 600_000, 600_000]);
    expect(waitMs(taskBackOff, 2, 0, () => 1)).toBe(10_000);
  });

  it("is never shorter than the provider requests", () => {
    const law = fc.property(
      fc.nat(100),
      fc.nat(10_000_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, ms, chance) => {
        expect(waitMs(taskBackOff, attempt, ms, () => chance)).toBeGreaterThanOrEqual(ms);
      },
    );
    fc.assert(law);
  });
});

describe("a budget", () => {
  const limits = { wallMs: 60_000, cpuMs: 20, turnMs: 60_000 };

  it("counts only CPU time, and each turn's slices", async () => {
    const budget = new Budget(limits);
    const turn = budget.turn();
    await new Promise((resolve) => setTimeout(resolve, 40));
    turn.endSlice();
    budget.turn().endSlice();
    expect(budget.slices).toBe(2);
    expect(turn.isOver()).toBe(false);
    await turn.compute(() => {
      for (const until = performance.now() + 25; performance.now() < until; );
    });
    expect(turn.isOver()).toBe(true);
    expect(budget.isSpent).toBe(true);
  });

  it("allows unsplittable work at its start, and else ends, so that the work starts the next call", async () => {
    const budget = new Budget({ ...limits, cpuMs: 1_000 });
    const turn = budget.turn();
    expect(turn.leavesRoom()).toBe(true);
    await turn.compute(() => {
      for (const until = performance.now() + 250; performance.now() < until; );
    });
    expect(budget.isSpent).toBe(false);
    expect(turn.leavesRoom()).toBe(false);
    expect(budget.isSpent).toBe(true);
    expect(new Budget({ ...limits, cpuMs: Number.POSITIVE_INFINITY }).turn().leavesRoom()).toBe(true);
  });

  it("is spent by the clock, and its turns end sooner", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const budget = new Budget({ wallMs: 1_000, turnMs: 400, cpuMs: Number.POSITIVE_INFINITY });
    const turn = budget.turn();
    const states = [0, 399, 1, 599, 1].map((ms) => {
      vi.advanceTimersByTime(ms);
      return [turn.isOver(), budget.turn().isOver(), budget.isSpent];
    });
    vi.useRealTimers();
    expect(states).toEqual([
      [false, false, false],
      [false, false, false],
      [true, false, false],
      [true, false, false],
      [true, true, true],
    ]);
  });

  it("starts work that may be lost only where no CPU time is counted", () => {
    const worksAhead = (cpuMs: number) => new Budget({ ...limits, cpuMs }).turn().worksAhead;
    expect([worksAhead(Number.POSITIVE_INFINITY), worksAhead(1_000)]).toEqual([true, false]);
  });

  it("ends a turn before the budget is spent", () => {
    const budget = new Budget({ ...limits, turnMs: 0 });
    expect(budget.turn().isOver()).toBe(true);
    expect(budget.isSpent).toBe(false);
  });
});

describe("the embedded text of a passage", () => {
  it("has the passage's context, without repeating the passage", () => {
    const chunk = {
      content: "## Sick leave\n\nTell us.",
      headings: ["Guide", "Sick leave"],
      preface: "Day | Hours",
    };
    expect(embeddingText("guide.md", chunk)).toBe(
      "guide.md\nGuide\nDay | Hours\n\n## Sick leave\n\nTell us.",
    );
  });

  it("is only the passage when it has no context", () => {
    expect(embeddingText("", { content: "Words.", headings: [] })).toBe("Words.");
  });

  it("never lets a long context crowd out the passage, nor ends it in a lone surrogate", () => {
    const text = embeddingText(`${"x".repeat(499)}🎉🎉`, { content: "Words.", headings: [] });
    expect(text).toBe(`${"x".repeat(499)}\n\nWords.`);
  });
});

/** As they lie in a row of COPY, behind other bytes and before others. */
function halvesOf(...numbers: number[]): number[] {
  const bytes = Buffer.alloc(2 * numbers.length + 2, 0xee);
  expect(writeHalves(bytes, Float32Array.from(numbers), 1)).toBe(bytes.length - 1);
  expect([bytes[0], bytes.at(-1)]).toEqual([0xee, 0xee]);
  return numbers.map((_, i) => bytes.readUInt16BE(1 + 2 * i));
}

describe("a vector", () => {
  it("is written as integers in the same direction, as pgvector parses it", () => {
    expect(vectorLiteral(Float32Array.of(0.5, -2, 0))).toBe("[7500,-30000,0]");
    expect(vectorLiteral(Float32Array.of(1e-9, -4e-9))).toBe("[7500,-30000]");
    expect(vectorLiteral(Float32Array.of(6e4, 0))).toBe("[30000,0]");
  });

  it("gives a vector the length 1 in half precision, rounded to the nearest number", () => {
    expect(halvesOf(3, -4)).toEqual([0x38cd, 0xba66]);
    expect(halvesOf(1, 0)).toEqual([0x3c00, 0]);
    // Below 2^-14 the numbers lie at equal distances of 2^-24; what is less than half of one becomes zero.
    expect(halvesOf(1, 2 ** -24, 2 ** -14, -(2 ** -26))).toEqual([0x3c00, 1, 0x0400, 0x8000]);
  });

  it("makes a vector without a direction zeros", () => {
    expect(halvesOf(0, 0)).toEqual([0, 0]);
    expect(halvesOf(Number.NaN, 1)).toEqual([0, 0]);
    expect(halvesOf(Number.POSITIVE_INFINITY, -1)).toEqual([0, 0]);
  });

  it("numbers new chunks in order, as UUIDs of version 7", () => {
    const ids = newChunkIds(300);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(300);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe("the function's endpoint", () => {
  const settings = {
    DATABASE_URL: "postgres://nowhere",
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "the-key",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "x".repeat(32),
  };
  beforeAll(() => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  });
  afterAll(() => vi.unstubAllEnvs());

  const result = { claimed: 1, slices: 3, more: true };
  const countingHandler = (tick = async () => result) => {
    let again = 0;
    const handle = handler({ tick, callAgain: () => again++ });
    return { handle, again: () => again };
  };
  const post = (headers: Record<string, string> = { authorization: "Bearer the-key" }, path = "/") =>
    new Request(`http://x.test${path}`, { method: "POST", headers });

  it("ticks for the service and calls itself while work is left", async () => {
    const { handle, again } = countingHandler();
    const response = await handle(post());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(result);
    expect(again()).toBe(1);
  });

  it.each([
    { claimed: 0, slices: 0, more: true },
    { claimed: 1, slices: 3, more: false },
  ])("does not call itself in a loop after %j", async (outcome) => {
    const { handle, again } = countingHandler(async () => outcome);
    await handle(post());
    expect(again()).toBe(0);
  });

  it.each<Record<string, string>>([
    {},
    { authorization: "Bearer the-ke" },
    { authorization: "Basic the-key" },
    { authorization: "Bearer the-key x" },
  ])("refuses %j", async (headers) => {
    const response = await countingHandler().handle(post(headers));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "NOT_AUTHENTICATED" });
  });

  it("is the same behind a gateway's path", async () => {
    expect((await countingHandler().handle(post(undefined, "/indexing"))).status).toBe(200);
    expect((await countingHandler().handle(post(undefined, "/indexing-not"))).status).toBe(404);
  });
});
