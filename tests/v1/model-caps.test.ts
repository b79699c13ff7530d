// The installation's cap on what a team spends on its models: set by platform admins alone, shown to the team.
import { beforeAll, expect, test } from "vitest";
import { newAdmin, newMember, newTeam, owner, type Person, type Team } from "../support/api.ts";
import { findStack } from "../support/stack.ts";

let admin: Person;
let team: Team;
beforeAll(async () => {
  [admin, team] = await Promise.all([newAdmin(), newTeam()]);
});

const budget = async () => (await team.owner.get(`${team.path}/budget`)).body;

test("an owner sees the installation's cap and cannot change it by any interface", async () => {
  const set = await admin.put(`/v1/admin/budgets/${team.id}`, { installationCap: 3 });
  expect([set.status, set.body]).toMatchObject([
    200,
    { cap: null, installationCap: 3, installationSpent: 0 },
  ]);
  const tries = [
    await team.owner.put(`${team.path}/budget`, { cap: 10, installationCap: 100 }),
    await team.owner.put(`/v1/admin/budgets/${team.id}`, { installationCap: 100 }),
    await (await newMember(team, "admin")).put(`/v1/admin/budgets/${team.id}`, { installationCap: 100 }),
  ];
  expect(tries.map(({ status }) => status)).toEqual([400, 404, 404]);
  const { supabaseUrl, anonKey } = await findStack();
  const headers = {
    apikey: anonKey,
    authorization: `Bearer ${team.owner.token}`,
    "content-type": "application/json",
    "content-profile": "private",
  };
  const body = JSON.stringify({ installation_cap: 100 });
  const rest = await fetch(`${supabaseUrl}/rest/v1/model_budgets?team_id=eq.${team.id}`, {
    method: "PATCH",
    headers,
    body,
  });
  expect(rest.status).toBeGreaterThanOrEqual(400);
  expect(rest.status).toBeLessThan(500);
  await team.owner.put(`${team.path}/budget`, { cap: 10 });
  expect(await budget()).toMatchObject({ cap: 10, installationCap: 3, isReached: false });
});

test("the team's page says when the installation's cap is reached, and an admin raises it", async () => {
  const sql = await owner();
  await sql`update private.model_budgets set spent = 3, installation_spent = 3 where team_id = ${team.id}`;
  expect(await budget()).toMatchObject({
    installationCap: 3,
    installationSpent: 3,
    isReached: true,
    isNear: true,
  });
  const raised = await admin.put(`/v1/admin/budgets/${team.id}`, { installationCap: 30 });
  expect(raised.body).toMatchObject({ isReached: false, isNear: false });
});
