// Owns the test rows of a world's agent: a version, a test, a run and its result.
import { randomUUID } from "node:crypto";
import type { Put } from "./putter.ts";
import type { World } from "./world.ts";

export interface AgentTestIds {
  agentVersion: string;
  agentTest: string;
  agentTestRun: string;
  agentTestResult: string;
}

export const agentTestIds = (): AgentTestIds => ({
  agentVersion: randomUUID(),
  agentTest: randomUUID(),
  agentTestRun: randomUUID(),
  agentTestResult: randomUUID(),
});

export async function makeAgentTests(put: Put, world: World) {
  await put("public.agent_versions", { ...agentVersionRow(world, 1), id: world.agentVersion });
  await put("public.agent_tests", { ...agentTestRow(world), question: "How long?", id: world.agentTest });
  await put("public.agent_test_runs", { ...agentTestRunRow(world), total: 1, id: world.agentTestRun });
  await put("public.agent_test_results", { ...agentTestResultRow(world, 1), id: world.agentTestResult });
}

export const agentVersionRow = ({ team, agent }: World, number: number) => ({
  team_id: team,
  agent_id: agent,
  number,
  settings: {},
});

export const agentTestRow = ({ team, agent }: World) => ({
  team_id: team,
  agent_id: agent,
  question: "How many days?",
  facts: ["25 days"],
});

export const agentTestRunRow = ({ team, agent, agentVersion }: World) => ({
  team_id: team,
  agent_id: agent,
  version_id: agentVersion,
  status: "succeeded",
});

export const agentTestResultRow = ({ team, agentTest, agentTestRun }: World, position: number) => ({
  team_id: team,
  run_id: agentTestRun,
  test_id: agentTest,
  position,
  question: "How many days?",
  facts: ["25 days"],
  must_refuse: false,
});
