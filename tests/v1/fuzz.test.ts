// Fuzzes the whole API from its own description, as every kind of caller: no 5xx, nothing slow, nothing of another team, every error in the
// contract's form, every answer as described.
import { beforeAll, describe, expect, test } from "vitest";
import type { Schema } from "../../edge-functions/v1/openapi-examples.ts";
import { operationsOf, readDescription } from "../support/description.ts";
import { type Furnished, filledPath } from "../support/furnished.ts";
import { Judge } from "../support/fuzz/judge.ts";
import {
  type Described,
  type FuzzRequest,
  randomRequests,
  rightRequest,
  twoForEach,
} from "../support/fuzz/requests.ts";
import { type Reply, type Sent, sendTo, sixAtOnce } from "../support/fuzz/sending.ts";
import { type Caller, type CallerName, callers, makeWorld, type World } from "../support/fuzz/world.ts";
import { findStack } from "../support/stack.ts";
import { rowsOf } from "../support/team-rows.ts";

const seed = 20_261_122;
const randomCount = 500;
/**
 * In answers of the gateway's health check, one after the other: a call that outlasts so many counts as hanging. Another process is the
 * clock, so that a busy machine slows both.
 */
const slowest = 5_000;
/** So many of a run's slowest calls are repeated alone against that clock, a slow one several times. */
const suspects = 5;
const looks = 5;

type Aimed = FuzzRequest & { caller: Caller; at: Furnished };

let world: World;
let judge: Judge;
let calls: Described[];
let lookUp: (schema: Schema) => Schema;
let apiUrl: string;
let gatewayUrl: string;
let victimBefore: string;

beforeAll(async () => {
  const [description, stack] = await Promise.all([readDescription(), findStack()]);
  apiUrl = stack.apiUrl;
  gatewayUrl = stack.supabaseUrl;
  world = await makeWorld();
  judge = new Judge(description);
  calls = operationsOf(description);
  lookUp = (schema) =>
    schema.$ref ? (description.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  victimBefore = await rowsOf(world.victim.team);
});

/** A platform admin may break any team, and so has one of their own. */
const mayBreak = ({ name }: Caller, { method }: Described) => name === "platform admin" && method !== "get";

const callerNamed = (name: CallerName) => world.callers.get(name) as Caller; // makeWorld() makes all of them.

/** Those who share the calls that the owner and the outsider all make. */
const others = callers.filter((name) => name !== "owner" && name !== "outsider");
/** So many of them try a call, in turn. */
const othersATime = 4;

/** A valid request by the owner at home, by the outsider to the victim, and by some others, at home and to the victim in turn. */
function aimRight(call: Described, turn: number): Aimed[] {
  const right = rightRequest(call);
  const owner = callerNamed("owner");
  const inTurn = Array.from({ length: othersATime }, (_, at): Aimed => {
    const caller = callerNamed(others[(turn * (othersATime - 1) + at) % others.length] ?? "nobody");
    const elsewhere = (turn + at) % 2 === 0 && !mayBreak(caller, call);
    return { ...right, caller, at: elsewhere ? world.victim : caller.home };
  });
  return [
    { ...right, caller: owner, at: owner.home },
    { ...right, caller: callerNamed("outsider"), at: world.victim },
    ...inTurn,
  ];
}

/**
 * By the owner, who gets furthest, and by every caller in turn, on their own team and on the victim's.
 * @param each one of so many requests is also another caller's
 */
function aim(requests: FuzzRequest[], each = 1): Aimed[] {
  return requests.flatMap((request, index): Aimed[] => {
    const owner = callerNamed("owner");
    const byOwner = { ...request, caller: owner, at: owner.home };
    if (index % each > 0) return [byOwner];
    const turn = index / each;
    const caller = callerNamed(callers[turn % callers.length] ?? "nobody");
    const elsewhere = turn % 4 === 3 && !mayBreak(caller, request.call);
    return [byOwner, { ...request, caller, at: elsewhere ? world.victim : caller.home }];
  });
}

/** A request's bytes. @param spared what it would delete does not exist */
function write({ call, inPath, query, headers, body, caller, at }: Aimed, spared = true): Sent {
  const template = call.path.replace(/\{(\w+)\}/g, (all, name: string) => inPath[name] ?? all);
  return {
    method: call.method.toUpperCase(),
    path: filledPath(template, at, spared && call.method === "delete") + query,
    headers: { ...caller.headers, ...headers },
    body,
  };
}

/** One line for people, whatever it contains. */
function nameOf({ caller, what, at }: Aimed, { method, path, body = "" }: Sent): string {
  const place = at === world.victim ? " at the victim's" : "";
  const name = `${caller.name}${place}: ${method} ${path.slice(0, 140)} (${what}) ${body.slice(0, 100)}`;
  return name.replace(/[^\x20-\x7e]/g, "?");
}

/** Paths on which a platform admin reads every team. */
const adminsReading = /^\/v1\/(admin|users|health)\b/;

function leak({ caller, call }: Aimed, { text }: Reply): string | undefined {
  if (caller.name === "platform admin" && adminsReading.test(call.path)) return undefined;
  const canary = world.canaries.find((one) => text.includes(one));
  return canary && `shows ${canary} of another team: ${text.slice(0, 300)}`;
}

interface Run {
  complaints: string[];
  statuses: Map<number, number>;
  slow: { ms: number; name: string; sent: Sent }[];
}

async function run(requests: Aimed[], spared = true): Promise<Run> {
  const result: Run = { complaints: [], statuses: new Map(), slow: [] };
  await sixAtOnce(requests, async (one) => {
    const sent = write(one, spared);
    const name = nameOf(one, sent);
    const reply = await sendTo(apiUrl, sent).catch((error: Error) => error);
    if (reply instanceof Error) return void result.complaints.push(`${name}: ${reply.message}`);
    result.statuses.set(reply.status, (result.statuses.get(reply.status) ?? 0) + 1);
    result.slow.push({ ms: reply.ms, name, sent });
    const wrong = judge.complaint(one.call, reply, `${sent.path}${sent.body ?? ""}`) ?? leak(one, reply);
    if (wrong) result.complaints.push(`${name}: ${wrong}`);
  });
  const counts = [...result.statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`);
  result.slow.sort((a, b) => b.ms - a.ms);
  const worst = result.slow.slice(0, 3).map(({ ms, name }) => `${Math.round(ms)} ms ${name}`);
  console.log(`${requests.length} requests: ${counts.join(", ")}\nslowest:\n${worst.join("\n")}`);
  return result;
}

/** How many health checks the gateway answers during a request. */
async function answersDuring(sent: Sent): Promise<number> {
  let isRunning = true;
  const reply = sendTo(apiUrl, sent).finally(() => {
    isRunning = false;
  });
  let count = 0;
  for (; isRunning; count++) await sendTo(gatewayUrl, { method: "GET", path: "/health", headers: {} });
  await reply;
  return count;
}

/** A run's slowest requests that hang when run alone. */
async function slowAlone({ slow }: Run): Promise<string[]> {
  const found: string[] = [];
  for (const { name, sent } of slow.slice(0, suspects)) {
    let least = Number.POSITIVE_INFINITY;
    for (let look = 0; look < looks && least > slowest; look++)
      least = Math.min(least, await answersDuring(sent));
    if (least > slowest) found.push(`outlasts ${least} health checks: ${name}`);
  }
  return found;
}

describe("every call", () => {
  test("answers valid requests, on a caller's own team and a stranger's", async () => {
    const requests = calls.flatMap(aimRight);
    const result = await run(requests);
    expect(result.complaints).toEqual([]);
    expect(await slowAlone(result)).toEqual([]);
    expect(requests.length).toBe(calls.length * (2 + othersATime));
    expect(result.statuses.get(200) ?? 0).toBeGreaterThan(requests.length / 9);
  });

  test("answers two inputs for each parameter and each field", async () => {
    const requests = aim(twoForEach(calls, lookUp), 5);
    const result = await run(requests);
    expect(result.complaints).toEqual([]);
    expect(await slowAlone(result)).toEqual([]);
    expect(requests.length).toBeGreaterThan(calls.length * 5);
  });

  test("answers five hundred random requests", async () => {
    const ids = [...world.callers.values(), { home: world.victim }].flatMap(({ home }) =>
      Object.values(home.ids),
    );
    const random = randomRequests(calls, lookUp, [...new Set(ids)], randomCount, seed);
    const requests = aim(random, 2).map(
      (one): Aimed =>
        // Bodies may name any existing id: a platform admin's would break the victim.
        mayBreak(one.caller, one.call) ? { ...one, caller: callerNamed("outsider") } : one,
    );
    const result = await run(requests);
    expect(result.complaints).toEqual([]);
    expect(await slowAlone(result)).toEqual([]);
    expect(random).toHaveLength(randomCount);
  });

  test("answers deletions, from the least to the most powerful caller, children first", async () => {
    const deletes = calls
      .filter(({ method }) => method === "delete")
      .sort((a, b) => b.path.length - a.path.length);
    const requests = callers.flatMap((name) => {
      const caller = callerNamed(name);
      return deletes.map((call): Aimed => ({ ...rightRequest(call), caller, at: caller.home }));
    });
    const result = await run(requests, false);
    expect(result.complaints).toEqual([]);
    expect(result.statuses.get(204) ?? 0).toBeGreaterThan(deletes.length / 2);
  });

  test("left the stranger's team unchanged", async () => {
    expect(await rowsOf(world.victim.team)).toBe(victimBefore);
  });
});
