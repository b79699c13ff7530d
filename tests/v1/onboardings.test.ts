// A team's first files: one knowledge base and one agent, for those who may create them.
import { beforeAll, expect, test } from "vitest";
import { anyone, newMember, newTeam, type Team } from "../support/api.ts";
import { uploadTexts } from "../support/content.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});
const none = { state: "none", knowledgeId: null, agentId: null, questions: [] };

test("first files create one knowledge base and one agent, whoever adds them and however often", async () => {
  expect((await team.owner.get(`${team.path}/onboarding`)).body).toEqual(none);
  const given = await Promise.all(
    ["Every guest has 3 days of notice.", "The roof is green."].map(async (text, at) => {
      const fileIds = await uploadTexts(team, { [`${at}.md`]: text });
      return await team.owner.post(`${team.path}/onboarding`, { fileIds });
    }),
  );
  const [first, second] = given.map(({ status, body }) => ({ status, ...body }));
  expect(first).toMatchObject({ status: 200, knowledgeId: second?.knowledgeId, agentId: second?.agentId });
  expect((await team.owner.get(`${team.path}/agents`)).body).toMatchObject({ total: 1 });
  expect((await team.owner.get(`${team.path}/knowledges`)).body).toMatchObject({ total: 1 });
});

test("only those who may create an agent start it, and no other team reads it", async () => {
  const viewer = await newMember(team, "viewer");
  expect((await viewer.get(`${team.path}/onboarding`)).body.agentId).not.toBeNull();
  const body = { fileIds: [crypto.randomUUID()] };
  expect((await viewer.post(`${team.path}/onboarding`, body)).body.code).toBe("FORBIDDEN");
  const stranger = (await newTeam()).owner;
  expect((await stranger.get(`${team.path}/onboarding`)).status).toBe(404);
  expect((await stranger.post(`${team.path}/onboarding`, body)).status).toBe(404);
  expect((await anyone.get(`${team.path}/onboarding`)).status).toBe(401);
  for (const wrong of [
    {},
    { fileIds: [] },
    { fileIds: ["x"] },
    { ...body, language: "xx" },
    { ...body, name: "X" },
  ])
    expect((await team.owner.post(`${team.path}/onboarding`, wrong)).body.code, JSON.stringify(wrong)).toBe(
      "VALIDATION_FAILED",
    );
});
