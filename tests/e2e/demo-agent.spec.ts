// The agent that the front page and the widget's demo page show is the installation's, whoever gives theirs its name.
import { newTeam } from "../support/api.ts";
import { findStack } from "../support/stack.ts";
import { expect, test } from "./support/test.ts";

test("a stranger's public handbook does not become the installation's face", async ({ page, request }) => {
  const stranger = await newTeam();
  const made = await stranger.owner.post(`${stranger.path}/agents`, {
    name: "A handbook of a stranger",
    description: "handbook",
    visibility: "public",
  });
  expect(made.status).toBe(201);
  const { data } = await (await request.get("/v1/agents?name=handbook&perPage=100")).json();
  const seeded = data.find(
    ({ name, teamId }: { name: string; teamId: string }) => name === "handbook" && teamId !== stranger.id,
  );
  const front = await (await page.goto("/"))?.text();
  expect(front).toContain(seeded.id);
  expect(front).not.toContain(made.body.id);
  const { webUrl } = await findStack();
  const sdk = new URL(webUrl);
  sdk.port = String(Number(sdk.port) + 1);
  const demo = await (await request.get(sdk.href)).text();
  expect(demo).toContain(`data-agent="${seeded.id}"`);
});
