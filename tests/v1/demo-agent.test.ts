// The front page and the widget's demo show the installation's own agent, even when another team uses its name.
import { expect, test } from "vitest";
import { newTeam, owner } from "../support/api.ts";
import { findStack } from "../support/stack.ts";

test("a stranger's public handbook does not replace the installation's demo agent", async () => {
  const stranger = await newTeam();
  const made = await stranger.owner.post(`${stranger.path}/agents`, {
    name: "A handbook of a stranger",
    visibility: "public",
  });
  expect(made.status).toBe(201);
  const [seeded] = await (await owner())<{ id: string }[]>`
    select a.id from public.agents a join public.teams t on t.id = a.team_id
     where t.codename = 'demo' and a.name = 'handbook' order by a.id limit 1`;
  const { webUrl } = await findStack();
  const front = await (await fetch(webUrl)).text();
  expect(front).toContain(seeded?.id);
  expect(front).not.toContain(made.body.id);
  const sdk = new URL(webUrl);
  sdk.port = String(Number(sdk.port) + 1);
  expect(await (await fetch(sdk)).text()).toContain(`data-agent="${seeded?.id}"`);
  await stranger.owner.delete(stranger.path);
});
