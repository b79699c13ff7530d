// The front page and the widget's demo show the installation's own agent, even when another team uses its name. It is sure of the questions
// that the front page suggests.
import { expect, test } from "vitest";
import { newPerson, newTeam, owner } from "../support/api.ts";
import { openStream } from "../support/content.ts";
import { allEvents } from "../support/event-stream.ts";
import { findStack } from "../support/stack.ts";
import { say, sayIn } from "../support/words.ts";

async function seededAgent(): Promise<string | undefined> {
  const [seeded] = await (await owner())<{ id: string }[]>`
    select a.id from public.agents a join public.teams t on t.id = a.team_id
     where t.codename = 'demo' and a.name = 'handbook' order by a.id limit 1`;
  return seeded?.id;
}

test("a stranger's public handbook does not replace the installation's demo agent", async () => {
  const stranger = await newTeam();
  const made = await stranger.owner.post(`${stranger.path}/agents`, {
    name: "A handbook of a stranger",
    visibility: "public",
  });
  expect(made.status).toBe(201);
  const seeded = await seededAgent();
  const { webUrl } = await findStack();
  const front = await (await fetch(webUrl)).text();
  expect(front).toContain(seeded);
  expect(front).not.toContain(made.body.id);
  const sdk = new URL(webUrl);
  sdk.port = String(Number(sdk.port) + 1);
  expect(await (await fetch(sdk)).text()).toContain(`data-agent="${seeded}"`);
  await stranger.owner.delete(stranger.path);
});

test.each([
  ["How many days of annual leave do I have?", "27 days"],
  ["What may a hotel cost in Paris?", "180 €"],
  ["My laptop was stolen. What do I do?", "extension 4400"],
  ["Combien de jours de RTT par an ?", "11 jours"],
  ["What does an agent do when it does not know?", "it says so instead of guessing"],
])("the demo agent is sure of “%s”", async (content, fact) => {
  const asker = await newPerson();
  const asked = { agentId: await seededAgent(), messages: [{ role: "user", content }] };
  const events = await allEvents(await openStream(asker, "/v1/streams", asked));
  const reply = String(events.at(-1)?.data.content);
  expect(reply).toContain(fact);
  for (const one of [say, sayIn("fr")]) {
    expect(reply).not.toContain(one("answers:closest"));
    expect(reply).not.toContain(one("answers:nothingClose"));
  }
});
