// The order in which transactions get a connection: reads, then questions, then other changes; none waits for long.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  ConnectionQueue,
  type TransactionKind,
  type Turn,
} from "../../edge-functions/_shared/database/connection-queue.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose connections are all in use, and the names of those that it has let in since. */
async function startFull(size: number) {
  const queue = new ConnectionQueue(size);
  for (let taken = 0; taken < size; taken++) await queue.enter({ kind: "change" });
  const entered: string[] = [];
  const wait = (kind: TransactionKind, name: string = kind) =>
    void queue.enter({ kind }).then(() => entered.push(name));
  return { queue, entered, wait };
}

/** Ends this many transactions, each of which lets another in. */
async function end(queue: ConnectionQueue, count: number) {
  for (let ended = 0; ended < count; ended++) queue.leave({ kind: "change" });
  await settle();
}

it("lets reads come before questions, and questions before other changes", async () => {
  const { queue, entered, wait } = await startFull(1);
  wait("change");
  wait("question");
  wait("read");
  await end(queue, 3);
  expect(entered).toEqual(["read", "question", "change"]);
});

it("lets those of one kind in as they came", async () => {
  const { queue, entered, wait } = await startFull(2);
  for (const name of ["first", "second", "third"]) wait("question", name);
  await end(queue, 3);
  expect(entered).toEqual(["first", "second", "third"]);
});

it("lets one in that has waited for over a second, whatever its kind", async () => {
  const { queue, entered, wait } = await startFull(1);
  wait("change");
  vi.advanceTimersByTime(1001);
  wait("read");
  await end(queue, 1);
  expect(entered).toEqual(["change"]);
});

it("lets those that have waited for over a second in as they came, so that none starves in an overload", async () => {
  const { queue, entered, wait } = await startFull(1);
  for (const [kind, name] of [
    ["read", "first"],
    ["change", "second"],
    ["question", "third"],
  ] as const) {
    wait(kind, name);
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(1001);
  await end(queue, 3);
  expect(entered).toEqual(["first", "second", "third"]);
});

it("lets as many run at once as there are connections", async () => {
  const { queue, entered, wait } = await startFull(2);
  await end(queue, 2);
  for (const name of ["first", "second", "third"]) wait("read", name);
  await settle();
  expect(entered).toEqual(["first", "second"]);
  await end(queue, 1);
  expect(entered).toEqual(["first", "second", "third"]);
});

it("lets others in before a caller who holds half of the connections", async () => {
  const queue = new ConnectionQueue(4);
  const many = { kind: "read", caller: "many" } as const;
  for (let taken = 0; taken < 4; taken++) await queue.enter(many);
  const entered: string[] = [];
  const wait = (turn: Turn) => void queue.enter(turn).then(() => entered.push(String(turn.caller)));
  wait(many);
  wait({ kind: "change", caller: "one" });
  vi.advanceTimersByTime(1001);
  queue.leave(many);
  await settle();
  expect(entered).toEqual(["one"]);
  queue.leave(many);
  await settle();
  expect(entered).toEqual(["one", "many"]);
});
