// What a client learns of its user before it shows anything: the account, the teams and the one to open.
import { beforeAll, expect, test } from "vitest";
import { anyone, as, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam("Viewers");
});

test("the viewer names the user, their teams with role and permissions, and the requested team", async () => {
  const member = await newMember(team, "viewer");
  const own = await member.post("/v1/teams", { name: "Another of theirs" });
  const { status, body } = await member.get(`/v1/viewer?team=${team.codename}`);
  expect(status).toBe(200);
  const { createdAt: _c, updatedAt: _u, ...me } = (await member.get("/v1/auth/me")).body;
  expect(body.user).toEqual(me);
  const { version: _n, createdAt: _t, updatedAt: _v, ...shown } = (await member.get(team.path)).body;
  const joined = { ...shown, hasModel: false };
  expect(joined.role).toBe("viewer");
  expect(body.team).toEqual(joined);
  expect(body.teams.map(({ id }: { id: string }) => id)).toEqual([own.body.id, team.id]);
  expect(body.teams[1]).toEqual(joined);
  expect((await member.get(`/v1/viewer?team=${team.id}`)).body.team).toEqual(joined);
  expect((await member.get("/v1/viewer")).body.team).toBeNull();
});

test("the viewer shows invitations, and a team only to its members", async () => {
  const invited = await newPerson();
  const roleId = systemRoleIds.editor;
  await team.owner.post(`/v1/teamUsers/${team.id}/users`, { email: invited.email, roleId });
  const { body } = await invited.get(`/v1/viewer?team=${team.id}`);
  expect(body).toMatchObject({
    teams: [],
    team: null,
    invitations: [
      { id: team.id, name: "Viewers", role: "editor", invitation: { status: "pending", roleId } },
    ],
  });
  const { invitation } = (await invited.get("/v1/teams/pending-invites")).body.data[0];
  expect(body.invitations[0].invitation).toEqual(invitation);
});

test("a team beyond the hundred that the viewer lists is found by its address, and on the page of teams", async () => {
  const person = await newPerson();
  const names = Array.from({ length: 101 }, (_, at) => `Team ${at}`);
  const made: { id: string; codename: string }[] = [];
  const sql = await owner();
  for (const [at, name] of names.entries()) {
    // A person creates 30 teams an hour.
    if (at % 30 === 0) await sql`delete from private.rate_limits where key = ${`team:by:${person.id}`}`;
    made.push((await person.post("/v1/teams", { name })).body);
  }
  const last = made.at(-1);
  const { body } = await person.get(`/v1/viewer?team=${last?.codename}`);
  expect(body.teams).toHaveLength(100);
  expect(body.teams.some(({ id }: { id: string }) => id === last?.id)).toBe(false);
  expect(body.team).toMatchObject({ id: last?.id, role: "owner" });

  const { webUrl } = await findStack();
  const cookie = cookieOf(await postLogin(person));
  const listNames = async (query: string) => {
    const page = await (await fetch(`${webUrl}/teams${query}`, { headers: { cookie } })).text();
    const main = page.slice(page.indexOf("<main"), page.indexOf("</main>"));
    return names.filter((name) => main.includes(`>${name}<`));
  };
  expect(await listNames("")).toEqual(names.slice(0, 20));
  expect(await listNames("?page=6")).toEqual(["Team 100"]);
  expect(await listNames("?search=m+9")).toEqual(names.filter((name) => name.startsWith("Team 9")));
});

test("the viewer is for users, not for anonymous callers and keys, and rejects an invalid team name", async () => {
  expect(await anyone.get("/v1/viewer")).toMatchObject({ status: 401 });
  const { body: key } = await team.owner.post(`${team.path}/apiKeys`, { name: "Key" });
  expect(await as(key.key).get("/v1/viewer")).toMatchObject({ status: 403 });
  expect(await team.owner.get("/v1/viewer?team=%20")).toMatchObject({ status: 400 });
});
