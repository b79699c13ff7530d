// A person stops a run of an agent's tests while the model speaks.
import { afterEach, expect, it } from "vitest";
import { newRun } from "../support/agent-test-run.ts";
import { startIndexingStand } from "../support/indexing-stand.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

it("a run is stopped in the middle of an answer: results stay, and the aborted call leaves no reservation", async () => {
  const stand = await startIndexingStand();
  stops.push(() => stand.stop());
  await stand.sql`insert into private.model_budgets (team_id, team_cap, month) values (${stand.team}, 100, date_trunc('month', now()))`;
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(stand.openai.baseUrl).host;
  stops.push(() => delete process.env.PARLEY_OUTBOUND_ALLOW);
  await stand.sql`
    insert into private.models (team_id, role, provider, base_url, model, prompt_price, completion_price)
    values (${stand.team}, 'chat', 'custom', ${stand.openai.baseUrl}, 'says', 1, 1)`;
  const { run, task } = await newRun(stand);
  stand.openai.reply = "An answer with the fact.";
  stand.openai.next({ how: "well" }, { how: "well" }, { how: "silence" });
  const turn = stand.ticker().tick();
  const countReservations = async () => (await stand.sql`select 1 from private.model_reservations`).length;
  await expect
    .poll(async () => [stand.openai.requests.length > 2, await countReservations()])
    .toEqual([true, 1]);
  await stand.sql`update public.tasks set status = 'stopping' where id = ${task}`;
  await turn;
  expect(await stand.task(task)).toMatchObject({ status: "stopped" });
  const [stopped] = await stand.sql`select status, error from public.agent_test_runs where id = ${run}`;
  expect(stopped).toEqual({ status: "stopped", error: null });
  const kept =
    await stand.sql`select answer from public.agent_test_results where run_id = ${run} and answer is not null`;
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(6);
  expect(await countReservations()).toBe(0);
});
