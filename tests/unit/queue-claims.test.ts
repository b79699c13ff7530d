// Claims of both queues: permitted writes, detection of a lost claim or a stop, and the heartbeat. tests/sql covers which rows are claimed.
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Task } from "../../edge-functions/indexing/queue.ts";
import type { Work } from "../../edge-functions/slack/envelope.ts";
import { stubSettings } from "../support/function-settings.ts";
import { answer, reset, statements } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

let tasks: typeof import("../../edge-functions/indexing/queue.ts");
let slack: typeof import("../../edge-functions/slack/queue.ts");
let lease: typeof import("../../edge-functions/_shared/queues/lease.ts");
beforeAll(async () => {
  stubSettings();
  tasks = await import("../../edge-functions/indexing/queue.ts");
  slack = await import("../../edge-functions/slack/queue.ts");
  lease = await import("../../edge-functions/_shared/queues/lease.ts");
});
beforeEach(() => {
  reset();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

const kept = [{ status: "running" }];
const stopping = [{ status: "stopping" }];
const lost = [{ status: null }];
const last = (before = 0) => statements.at(-1 - before)?.values;

describe("a claim of a task", () => {
  const task: Task = {
    id: "task",
    teamId: "team",
    type: "index",
    sourceId: null,
    knowledgeId: null,
    documentId: null,
    status: "running",
    done: 0,
    total: 0,
    messageCode: "reading",
    messageParams: { name: "a" },
    attemptsWithoutProgress: 1,
    maxAttempts: 5,
    fence: 7,
  };
  /** The progress of a heartbeat: done, total, code and params. */
  const keeping = (...progress: unknown[]) => ["task", 7, 20, ...progress];
  const nothing = keeping(null, null, null, null);

  test("gets the next task, or none", async () => {
    answer([task], []);
    expect((await tasks.claimTask("worker-1"))?.task).toBe(task);
    expect(statements[0]?.values).toEqual(["worker-1", 20]);
    expect(await tasks.claimTask("worker-1")).toBeUndefined();
    expect(vi.getTimerCount()).toBe(1);
  });

  test("is extended every four seconds, with progress, until released", async () => {
    const claim = new tasks.Claim(task);
    answer(kept, kept, kept);
    claim.report({ done: 3, total: 9 });
    claim.report({ done: 4, code: "embedding" });
    await vi.advanceTimersByTimeAsync(3_999);
    expect(statements).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(last()).toEqual(keeping(4, 9, "embedding", null));
    // Written progress is not written again.
    await vi.advanceTimersByTimeAsync(4_000);
    expect(last()).toEqual(nothing);
    expect(claim.signal.aborted).toBe(false);
    claim.release();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(statements).toHaveLength(2);
  });

  test("keeps progress reported during a write", async () => {
    const claim = new tasks.Claim(task);
    answer(kept, kept);
    claim.report({ done: 1 });
    const written = claim.write(async () => {
      claim.report({ done: 2, params: { name: "b" } });
      return "result";
    });
    expect(await written).toBe("result");
    expect(last()).toEqual(keeping(1, null, null, null));
    await claim.write(async () => {});
    expect(last()).toEqual(keeping(2, null, null, { name: "b" }));
  });

  test("extends its other leases while it holds them", async () => {
    const claim = new tasks.Claim(task);
    const beat = vi.fn(async () => {});
    claim.alsoKeep(beat);
    answer(kept, kept);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(beat).toHaveBeenCalledOnce();
    claim.alsoKeep(undefined);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(beat).toHaveBeenCalledOnce();
  });

  test("that is lost writes nothing, and tells the work", async () => {
    for (const rows of [lost, []]) {
      const claim = new tasks.Claim(task);
      const work = vi.fn(async () => {});
      answer(rows);
      await expect(claim.write(work)).rejects.toBeInstanceOf(lease.ClaimLost);
      expect(work).not.toHaveBeenCalled();
      expect(claim.signal.aborted).toBe(false);
      answer(rows);
      await vi.advanceTimersByTimeAsync(4_000);
      expect(claim.signal.reason).toBeInstanceOf(lease.ClaimLost);
      claim.release();
    }
  });

  test("continues when the database is briefly down, and writes pending progress later", async () => {
    const claim = new tasks.Claim(task);
    claim.report({ done: 5 });
    answer(new Error("connection lost"), kept);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(claim.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(last()).toEqual(keeping(5, null, null, null));
  });

  test("learns of a stop from its next write, and keeps the first reason", async () => {
    const claim = new tasks.Claim(task);
    answer(stopping);
    await claim.write(async () => {});
    expect(claim.signal.reason).toMatchObject({ name: "Interrupted", reason: "stop" });
    claim.interrupt(new lease.Interrupted("shutdown"));
    expect(claim.signal.reason).toMatchObject({ reason: "stop" });
    const begun = new tasks.Claim({ ...task, status: "stopping" });
    expect(begun.signal.reason).toMatchObject({ reason: "stop", message: "stop" });
  });

  test("clears earlier failures with its first progress", async () => {
    const claim = new tasks.Claim(task);
    answer(kept, [], kept);
    expect(claim.hasProgressed).toBe(false);
    expect(await claim.achieve(async () => 1)).toBe(1);
    expect(claim.hasProgressed).toBe(true);
    expect(statements).toHaveLength(2);
    expect(last()).toEqual(["task"]);
    await claim.achieve(async () => 2);
    expect(statements).toHaveLength(3);
    const failed = new tasks.Claim(task);
    answer(lost);
    await expect(failed.achieve(async () => 1)).rejects.toThrow("another worker");
    expect(failed.hasProgressed).toBe(false);
  });

  test("ends in one transaction with its last work, and stops the heartbeat", async () => {
    const claim = new tasks.Claim(task);
    claim.report({ total: 2 });
    answer(kept);
    await claim.end("succeeded", { code: "done" }, async (tx) => void (await tx`select ${"work"}`));
    expect(statements.map(({ values }) => values)).toEqual([
      keeping(null, 2, null, null),
      ["work"],
      ["task", 7, "succeeded", "done", {}, null, 0],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("stops the heartbeat when ending fails", async () => {
    const claim = new tasks.Claim(task);
    answer(lost);
    const ending = { code: "broken", params: { why: "x" }, error: "trace", delaySeconds: 5 };
    await expect(claim.end("failed", ending)).rejects.toBeInstanceOf(lease.ClaimLost);
    expect(vi.getTimerCount()).toBe(0);
    const other = new tasks.Claim(task);
    answer(kept);
    await other.end("waiting", ending);
    expect(last()).toEqual(["task", 7, "waiting", "broken", { why: "x" }, "trace", 5]);
  });

  test("that is released between slices resumes with its last message", async () => {
    const claim = new tasks.Claim(task);
    answer(kept, [], kept, [], kept);
    await claim.putDown(3);
    expect(last()).toEqual(["task", 7, "running", "reading", { name: "a" }, null, 3]);
    claim.report({ code: "indexing", params: { name: "b" } });
    await claim.putDown(0);
    expect(last()).toEqual(["task", 7, "running", "indexing", { name: "b" }, null, 0]);
    claim.report({ code: "resting" });
    claim.report({ done: 1 });
    answer([]);
    await claim.putDown(0);
    expect(last()).toEqual(["task", 7, "running", "resting", {}, null, 0]);
  });

  test("is counted once it has ended, not while it waits or continues", async () => {
    const metrics = await import("../../edge-functions/_shared/operation/metrics.ts");
    await metrics.startMetrics({ METRICS_TOKEN: "token" });
    for (const status of ["running", "waiting", "succeeded", "failed", "stopped"] as const) {
      answer(kept);
      await new tasks.Claim(task).end(status, { code: "done" });
    }
    const shown = await metrics.metricsAnswer(
      new Request("http://127.0.0.1/metrics", { headers: { authorization: "Bearer token" } }),
    );
    const counts = (await shown.text()).match(/^parley_indexing_tasks_total\{.*$/gm) ?? [];
    expect(counts.map((line) => line.replace(/^.*outcome="(\w+)"\S* /, "$1 ")).sort()).toEqual([
      "failed 1",
      "stopped 1",
      "succeeded 1",
    ]);
  });

  test("reads as the service does, without extending", async () => {
    const claim = new tasks.Claim(task);
    answer([{ n: 1 }]);
    expect(await claim.read(async (tx) => await tx`select 1`)).toEqual([{ n: 1 }]);
    expect(statements).toHaveLength(1);
  });

  test("the queue reports its length, also when the query fails", async () => {
    answer([{ more: true }], [], [{ depth: 2, ageSeconds: 5 }], [], [{ queued: 4 }], []);
    expect([await tasks.hasDueTasks(), await tasks.hasDueTasks()]).toEqual([true, false]);
    expect([await tasks.dueTasks(), await tasks.dueTasks()]).toEqual([
      { depth: 2, ageSeconds: 5 },
      { depth: 0, ageSeconds: 0 },
    ]);
    expect([await tasks.queueDueSyncs(), await tasks.queueDueSyncs()]).toEqual([4, 0]);
  });
});

const event = () => ({
  id: "event",
  kind: "message" as const,
  workspaceId: "w",
  payload: null,
  attempts: 1,
  fence: 3,
  questionId: "q",
  replyId: null,
  posted: ["1.1"],
  posting: false,
  createdAt: "2026-01-31T09:30:00.000Z",
});

describe("a process that shuts down", () => {
  const hold = () => new lease.HeldLeases([new slack.Claim(event()), new slack.Claim(event())]);

  test("interrupts its claims and waits until they are released", async () => {
    const held = hold();
    const isDown = vi.fn();
    void held.putDown(1_000).then(isDown);
    for (const { signal } of held) expect(signal.reason).toMatchObject({ reason: "shutdown" });
    await vi.advanceTimersByTimeAsync(500);
    expect(isDown).not.toHaveBeenCalled();
    held.clear();
    await vi.advanceTimersByTimeAsync(20);
    expect(isDown).toHaveBeenCalled();
  });

  test("waits no longer than it may", async () => {
    const isDown = vi.fn();
    void hold().putDown(100).then(isDown);
    await vi.advanceTimersByTimeAsync(80);
    expect(isDown).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(isDown).toHaveBeenCalled();
  });
});

describe("a claim of a Slack event", () => {
  const held = [{}];

  test("gets the next event, or none", async () => {
    answer([event()], []);
    expect((await slack.claimEvent())?.event).toEqual(event());
    expect(await slack.claimEvent()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(1);
  });

  test("writes the work's progress for a worker that takes over", async () => {
    const claim = new slack.Claim(event());
    answer(held, held);
    await claim.keep({ posting: true, replyId: "r" });
    expect(last()).toEqual(["q", "r", ["1.1"], true, 20, "event", 3]);
    expect(claim.event).toMatchObject({ replyId: "r", posting: true });
    await claim.keep({ posted: ["1.1", "1.2"] });
    expect(last()).toEqual(["q", "r", ["1.1", "1.2"], true, 20, "event", 3]);
  });

  test("is extended every four seconds, until released", async () => {
    const claim = new slack.Claim(event());
    answer(held);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(statements).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(last()).toEqual(["q", null, ["1.1"], false, 20, "event", 3]);
    claim.release();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(statements).toHaveLength(1);
  });

  test("that is lost stops the work; an unavailable database does not", async () => {
    const claim = new slack.Claim(event());
    answer(new Error("connection lost"), []);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(claim.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(claim.signal.reason).toBeInstanceOf(lease.ClaimLost);
    await expect(claim.keep({})).rejects.toBeInstanceOf(lease.ClaimLost);
    const other = new slack.Claim(event());
    const reason = new lease.Interrupted("shutdown");
    other.interrupt(reason);
    expect(other.signal.reason).toBe(reason);
  });

  test("ends, or is postponed, and stops the heartbeat", async () => {
    const claim = new slack.Claim(event());
    answer(held);
    await claim.end("done");
    expect(last()).toEqual(["done", "event", 3]);
    const other = new slack.Claim(event());
    answer(held);
    await other.again(30);
    expect(last()).toEqual([1, 30, "event", 3]);
    expect(vi.getTimerCount()).toBe(0);
    await expect(new slack.Claim(event()).again(1)).rejects.toBeInstanceOf(lease.ClaimLost);
  });

  test("an event is stored with its place in Slack, if any", async () => {
    const place = { channel: "C", ts: "1.2", threadTs: "1.1" };
    const works: Work[] = [
      {
        kind: "message",
        eventId: "e1",
        workspaceId: "w",
        message: { ...place, user: "U", text: "Why?", isDirect: false },
      },
      { kind: "opened", eventId: "e2", workspaceId: "w", channel: "D", threadTs: null },
      { kind: "left", eventId: "e3", workspaceId: "w", at: "2026-01-01T00:00:00Z" },
    ];
    for (const work of works) await slack.storeEvent(work);
    const stop = { kind: "stop", eventId: "e4", workspaceId: "w", channel: "C", threadTs: "1.1" } as const;
    await slack.storeEvent(stop, "done");
    expect(statements.map(({ values }) => values)).toEqual([
      ["e1", "message", "w", "C", "1.2", "1.1", null, "queued", works[0]],
      ["e2", "opened", "w", "D", null, null, null, "queued", works[1]],
      ["e3", "left", "w", null, null, null, null, "queued", works[2]],
      ["e4", "stop", "w", "C", null, "1.1", null, "done", null],
    ]);
  });

  test("the queue reports its length and posts; forgets after three days, former threads after 90, and after ten minutes what waits for a mention", async () => {
    answer([{ depth: 2, ageSeconds: 5 }], [], [{ ts: "1.1" }, { ts: "1.2" }]);
    expect([await slack.dueEvents(), await slack.dueEvents()]).toEqual([
      { depth: 2, ageSeconds: 5 },
      { depth: 0, ageSeconds: 0 },
    ]);
    expect(await slack.listPosted("w", "C", "1.0")).toEqual(new Set(["1.1", "1.2"]));
    await slack.sweepEvents();
    expect([last(2), last(1), last()]).toEqual([[3], [90], [10]]);
  });
});
