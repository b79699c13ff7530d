// A run of an agent's tests that ends early: a person stops it while the model speaks, or the budget is used up.
import { afterAll, beforeAll, expect, it } from "vitest";
import { newRun } from "../support/agent-test-run.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let stand: IndexingStand;
beforeAll(async () => {
  stand = await startIndexingStand();
  await stand.sql`insert into private.model_budgets (team_id, team_cap, month) values (${stand.team}, 100, date_trunc('month', now()))`;
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(stand.openai.baseUrl).host;
  await stand.sql`
    insert into private.models (team_id, role, provider, base_url, model, prompt_price, completion_price)
    values (${stand.team}, 'chat', 'custom', ${stand.openai.baseUrl}, 'says', 1, 1)`;
});
afterAll(async () => {
  delete process.env.PARLEY_OUTBOUND_ALLOW;
  await stand?.stop();
});
const countReservations = async () => (await stand.sql`select 1 from private.model_reservations`).length;

it("a run is stopped in the middle of an answer: results stay, and the aborted call leaves no reservation", async () => {
  const { run, task } = await newRun(stand);
  stand.openai.reply = "An answer with the fact.";
  stand.openai.next({ how: "well" }, { how: "well" }, { how: "silence" });
  const turn = stand.ticker().tick();
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

it("a budget that ends between the judge's votes stops the run, and no single vote decides", async () => {
  // Enough for an answer or for one vote at a time: each reserves its longest reply, 4,096 tokens.
  await stand.sql`update private.model_budgets set team_cap = spent + 0.008 where team_id = ${stand.team}`;
  const { run, task } = await newRun(stand);
  stand.openai.reply = ({ messages }) =>
    JSON.stringify(messages).includes("numbered statements") ? "1: yes" : "An answer in other words.";
  await stand.ticker().tick();
  const error = "The team's budget for language models is used up for this month.";
  expect(await stand.task(task)).toMatchObject({ status: "stopped", error });
  const [stopped] = await stand.sql`select status, error from public.agent_test_runs where id = ${run}`;
  expect(stopped).toEqual({ status: "stopped", error });
  const judged =
    await stand.sql`select verdict from public.agent_test_results where run_id = ${run} and verdict is not null`;
  expect(judged).toEqual([]);
  expect(await countReservations()).toBe(0);
});
