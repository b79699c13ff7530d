// kill -9 of the worker during a run of an agent's tests: stored answers stay, the next worker resumes, and the run completes.
import { afterEach, expect, it } from "vitest";
import { sentenceOf } from "../../edge-functions/_shared/text/sentences.ts";
import { newRun } from "../support/agent-test-run.ts";
import { startFuse } from "../support/fuse.ts";
import { startIndexingStand } from "../support/indexing-stand.ts";
import { startTestPostgres } from "../support/postgres.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

it("an interrupted run loses no answer, and never repeats a question whose answer is stored", async () => {
  const database = await startTestPostgres();
  const stand = await startIndexingStand(database);
  stops.push(() => stand.stop());
  const fuse = await startFuse(database.port);
  stops.push(() => fuse.stop());
  const { run, task } = await newRun(stand);
  const countStored = async () => {
    const [row] = await stand.sql`
      select count(answer)::int as answers, count(live_answer)::int as live from public.agent_test_results where run_id = ${run}`;
    return Number(row?.answers) + Number(row?.live);
  };

  let before = 0;
  // Before an answer is stored, after it, and while the run starts.
  for (const [statement, isDelivered] of [
    ["update public.agent_test_runs r set status", true],
    ["update public.agent_test_results", false],
    ["update public.agent_test_runs r set done", true],
  ] as const) {
    const worker = await stand.spawnFunction("local", fuse.port);
    const gone = new Promise<void>((resolve) => worker.process.once("exit", () => resolve()));
    fuse.burnAt(statement, isDelivered, () => worker.process.kill("SIGKILL"));
    await Promise.all([gone, worker.tick().catch(() => {})]);
    expect(await countStored()).toBeGreaterThanOrEqual(before);
    before = await countStored();
    await stand.passTime();
  }

  const last = await stand.spawnFunction("local");
  await last.tick();
  await last.end("SIGTERM");
  expect(await stand.task(task)).toMatchObject({ status: "succeeded", done: 6, total: 6, error: null });
  const [ended] =
    await stand.sql`select status, done, total, finished_at from public.agent_test_runs where id = ${run}`;
  expect(ended).toMatchObject({ status: "succeeded", done: 6, total: 6 });
  expect(await countStored()).toBe(12);
  const verdicts =
    await stand.sql`select verdict, live_verdict from public.agent_test_results where run_id = ${run}`;
  expect(verdicts.every(({ verdict, live_verdict }) => verdict !== null && live_verdict !== null)).toBe(true);
});

it("a run stops with its results so far when the model fails, and fails when its requester left", async () => {
  const stand = await startIndexingStand();
  stops.push(() => stand.stop());
  const { run, task } = await newRun(stand);
  stand.openai.reply = "An answer with the fact.";
  stand.openai.next({ how: "well" }, { how: "well" }, { how: "well" }, { how: "status", status: 401 });
  await stand.settle();
  expect(await stand.task(task)).toMatchObject({ status: "stopped" });
  const [stopped] = await stand.sql`select status, error from public.agent_test_runs where id = ${run}`;
  expect(stopped).toMatchObject({ status: "stopped", error: expect.stringMatching(/model/i) });
  const results =
    await stand.sql`select 1 from public.agent_test_results where run_id = ${run} and verdict = 'passed'`;
  expect(results.length).toBeGreaterThan(0);

  const other = await newRun(stand);
  await stand.sql`delete from public.team_users where team_id = ${stand.team} and user_id = (select created_by from public.agent_test_runs where id = ${other.run})`;
  await stand.settle();
  const [failed] = await stand.sql`select status, error from public.agent_test_runs where id = ${other.run}`;
  expect(failed).toMatchObject({
    status: "failed",
    error: sentenceOf("testsByNobody"),
  });
});
