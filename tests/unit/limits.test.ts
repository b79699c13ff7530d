// Rate limits: the counters of a call, a full limit's error, and calls without a counter.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Caller } from "../../edge-functions/_shared/requests/auth.ts";
import type { Hit } from "../../edge-functions/_shared/requests/limits.ts";
import { stubSettings } from "../support/function-settings.ts";
import { answer, asService, reset, statements } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

let limits: typeof import("../../edge-functions/_shared/requests/limits.ts");
let usage: typeof import("../../edge-functions/_shared/requests/usage-limits.ts");
beforeAll(async () => {
  stubSettings({
    LIMIT_ANSWERS_PER_MEMBER: "1",
    LIMIT_ANSWERS_PER_VISITOR: "2",
    LIMIT_ANSWERS_PER_ADDRESS: "3",
    LIMIT_ANSWERS_PER_API_KEY: "4",
    LIMIT_ANSWERS_PER_TEAM: "5",
    LIMIT_ANSWERS_PER_PUBLIC_AGENTS: "6",
    LIMIT_ANSWERS_PER_WORKSPACE: "7",
    LIMIT_SEARCHES_PER_MEMBER: "8",
    LIMIT_SEARCHES_PER_API_KEY: "9",
    LIMIT_SEARCHES_PER_TEAM: "10",
  });
  limits = await import("../../edge-functions/_shared/requests/limits.ts");
  usage = await import("../../edge-functions/_shared/requests/usage-limits.ts");
});
afterAll(() => vi.unstubAllEnvs());
beforeEach(reset);

const one: Hit = { key: "one", max: 3, windowSeconds: 60 };
const two: Hit = { key: "two", max: 5, windowSeconds: 600, words: "limitRequests" };

describe("taking hits", () => {
  test("passes when no limit is full, and counts each hit with its maximum and window", async () => {
    await limits.take([one, two]);
    expect(statements.map(({ values }) => values)).toEqual([
      [
        ["one", "two"],
        [3, 5],
        [60, 600],
      ],
    ]);
  });

  test("is refused with the full limit, and the seconds until it resets", async () => {
    answer([{ key: "two", seconds: 42 }]);
    await expect(limits.take([one, two])).rejects.toMatchObject({
      code: "RATE_LIMITED",
      extra: { retryAfterSeconds: 42 },
      message: expect.stringMatching(/5\b.*42\b/),
    });
    answer([{ key: "one", seconds: 7 }]);
    const refused = asService(async (tx) => await limits.takeWithin(tx as never, [one, two]));
    await expect(refused).rejects.toMatchObject({ extra: { retryAfterSeconds: 7, details: [{ path: "" }] } });
  });

  test("returns the wait when it is skipped instead of refused", async () => {
    answer([{ key: "one", seconds: 7 }], []);
    expect(await limits.secondsToWait([one])).toBe(7);
    expect(await limits.secondsToWait([one])).toBe(0);
  });

  test("runs no query without counters", async () => {
    await limits.take([]);
    await asService(async (tx) => await limits.takeWithin(tx as never, []));
    expect(await limits.secondsToWait([])).toBe(0);
    expect(statements).toEqual([]);
  });

  test("lets a transaction pass below the limit", async () => {
    await asService(async (tx) => await limits.takeWithin(tx as never, [one]));
    expect(statements).toHaveLength(1);
  });

  test("counted by another statement is named by the error that this raises", () => {
    const counted = limits.hitsOfPayer(({ teamId, isOwn }) => [
      isOwn ? one : two,
      { key: `team:${teamId}`, max: 3, windowSeconds: 60 },
    ]);
    expect(counted.hits.map(({ key }) => key)).toEqual(["one", "team:{team}", "two", "team:{team}"]);
    expect(counted.own).toBe(2);
    const failWith = (code: string, hint: string) =>
      limits.fullLimitOf(
        counted,
        Object.assign(new Error(), { code, hint, detail: "Try again in 9 seconds." }),
      );
    expect(failWith("PT429", "two")).toMatchObject({ code: "RATE_LIMITED", extra: { retryAfterSeconds: 9 } });
    expect(failWith("PT429", "team:{team}")).toMatchObject({ extra: { retryAfterSeconds: 9 } });
    expect(failWith("PT429", "three")).toBeUndefined();
    expect(failWith("PT409", "two")).toBeUndefined();
  });

  test("is undone for the same keys and windows", async () => {
    await limits.giveBack([one, two]);
    expect(statements[0]?.values).toEqual([
      ["one", "two"],
      [60, 600],
    ]);
  });
});

describe("the keys of a limit", () => {
  const addresses = [
    { address: "203.0.113.7", shared: false },
    { address: "10.0.0.1", shared: true },
  ];

  test("are its addresses, a shared one at twenty times the maximum, and its protected target", () => {
    const hits = limits.hitsOf("support", addresses, "Ada@example.com");
    expect(hits).toMatchObject([
      { key: "support:from:203.0.113.7", max: 30, windowSeconds: 3600 },
      { key: "support:from:10.0.0.1", max: 600, windowSeconds: 3600 },
      { key: `support:for:${limits.digestOf("ada@example.com")}`, max: 10, windowSeconds: 3600 },
    ]);
    expect(limits.hitsOf("support", addresses)).toEqual(hits.slice(0, 2));
  });

  test("are two per mailbox, for each kind of mail", () => {
    const digest = limits.digestOf("ada@example.com");
    expect(limits.mailsTo("ada@example.com", "recovery")).toEqual([
      { key: `mail:recovery:${digest}:burst`, max: 3, windowSeconds: 600 },
      { key: `mail:recovery:${digest}:hour`, max: 6, windowSeconds: 3600 },
    ]);
  });
});

describe("the sweep", () => {
  const rows = (count: number) => Object.assign([], { count });

  test("runs in one process per hour", async () => {
    answer([{ wait: 12 }]);
    await limits.sweepCounts();
    answer([]);
    await limits.sweepCounts();
    expect(statements).toHaveLength(2);
  });

  test("repeats per table while it deletes full batches", async () => {
    answer([{ wait: 0 }], rows(5_000), rows(4_999), rows(0));
    await limits.sweepCounts();
    expect(statements.map(({ text }) => /(?:from|delete from) (private\.\w+)/.exec(text)?.[1])).toEqual([
      undefined,
      "private.rate_limits",
      "private.rate_limits",
      "private.idempotency_keys",
    ]);
    expect(statements.slice(1).map(({ values }) => values)).toEqual([[5_000], [5_000], [5_000]]);
  });
});

describe("the cost of an answer or a search", () => {
  const user: Caller = { kind: "user", id: "u", token: "", claims: { role: "authenticated", sub: "u" } };
  const key: Caller = {
    kind: "apiKey",
    id: "k",
    teamId: "t",
    claims: { role: "authenticated", api_key_id: "k", team_id: "t" },
  };
  const visitor: Caller = { kind: "visitor", id: "v", claims: { role: "anon", visitor_id: "v" } };
  const anonymous: Caller = { kind: "anonymous", claims: { role: "anon" } };
  const service: Caller = { kind: "service", claims: { role: "service_role" } };
  const from = [{ address: "203.0.113.7", shared: false }];
  const summarize = (hits: Hit[]) =>
    hits.map(({ key: name, max, windowSeconds }) => [name, max, windowSeconds]);
  const answers = (caller: Caller, isOwn: boolean) =>
    summarize(usage.answerHits(caller, from, { teamId: "t", isOwn }));

  test("counts for the team and for the member or key", () => {
    expect(answers(user, true)).toEqual([
      ["answer:member:u", 1, 60],
      ["answer:team:t", 5, 60],
    ]);
    for (const isOwn of [true, false])
      expect(answers(key, isOwn)).toEqual([
        ["answer:apiKey:k", 4, 60],
        ["answer:team:t", 5, 60],
      ]);
  });

  test("of strangers has a separate allowance, by person and address", () => {
    const shared = [
      ["answer:from:203.0.113.7", 3, 60],
      ["answer:public:t", 6, 60],
    ];
    expect(answers(user, false)).toEqual([["answer:user:u", 2, 60], ...shared]);
    expect(answers(visitor, false)).toEqual([["answer:visitor:v", 2, 60], ...shared]);
    expect(answers(anonymous, true)).toEqual(shared);
  });

  test("is free for the service", () => {
    expect(answers(service, true)).toEqual([]);
    expect([service, visitor, anonymous].flatMap((caller) => usage.searchHits(caller, ["t"]))).toEqual([]);
  });

  test("in Slack counts for the person, the workspace and the team", () => {
    expect(summarize(usage.slackAnswerHits("w", "p", "t"))).toEqual([
      ["slack:person:w:p", 2, 60],
      ["slack:workspace:w", 7, 60],
      ["answer:team:t", 5, 60],
    ]);
  });

  test("of a search counts for the person or key, and each team", () => {
    expect(summarize(usage.searchHits(user, ["t", "s"]))).toEqual([
      ["search:user:u", 8, 60],
      ["search:team:t", 10, 60],
      ["search:team:s", 10, 60],
    ]);
    expect(summarize(usage.searchHits(key, []))).toEqual([["search:apiKey:k", 9, 60]]);
  });
});
