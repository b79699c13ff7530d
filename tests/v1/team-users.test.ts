// Members and invitations: who invites, answers, assigns roles and leaves.
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import {
  anyone,
  codeIn,
  mailsTo,
  mailTo,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
  type Team,
  uniqueEmail,
} from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";
import { sayIn } from "../support/words.ts";

const { owner: ownerRole, admin: adminRole, editor: editorRole, viewer: viewerRole } = systemRoleIds;

let name: string;
let team: Team;
let users: string;
beforeEach(async () => {
  name = `Team ${randomUUID().slice(0, 8)}`;
  team = await newTeam(name);
  users = `/v1/teamUsers/${team.id}/users`;
});

const accept = (person: Person, path = users) =>
  person.put(`${path}/${person.id}/invites`, { status: "accepted", roleId: "" });

describe("an invitation", () => {
  test("waits for an address without an account, by mail, until it is registered", async () => {
    const email = uniqueEmail("friend");
    const invited = await team.owner.post(users, { email: email.toUpperCase(), roleId: viewerRole });
    expect(invited).toMatchObject({
      status: 201,
      body: { email, userId: null, name: null, roleId: viewerRole, role: "viewer", status: "pending" },
    });
    const mail = await mailTo(email);
    expect(mail.subject).toContain("invited");
    expect(mail.text).toContain(`/register?email=${encodeURIComponent(email)}`);

    const registration = { name: "Friend", email, password: "correct-horse-1", deviceId: "app" };
    expect((await anyone.post("/v1/auth/register", registration)).status).toBe(201);
    const code = codeIn(await mailTo(email, ({ text }) => text.includes("/confirm")));
    await anyone.get(`/v1/auth/confirm?code=${code}&username=${encodeURIComponent(email)}`);
    const { body: session } = await anyone.post("/v1/auth/login", { email, password: "correct-horse-1" });
    const headers = { Authorization: `Bearer ${session.accessToken}` };
    const pending = await anyone.get("/v1/teams/pending-invites", { headers });
    expect(pending.body.data).toMatchObject([{ id: team.id, role: "viewer" }]);
    const accepted = await anyone.put(
      `${users}/${session.user.id}/invites`,
      { status: "accepted", roleId: "" },
      { headers },
    );
    expect(accepted).toMatchObject({ status: 200, body: { status: "accepted", userId: session.user.id } });
    expect((await anyone.get(team.path, { headers })).body.role).toBe("viewer");
  });

  test("grants nothing before it is accepted, and the team's rows after", async () => {
    const person = await newPerson();
    await team.owner.post(users, { email: person.email, roleId: editorRole });
    expect((await mailTo(person.email)).text).toContain(`/teams?email=${encodeURIComponent(person.email)}`);
    expect((await person.get(`${team.path}/agents`)).status).toBe(404);
    expect((await person.get(users)).status).toBe(404);
    expect((await accept(person)).status).toBe(200);
    expect((await person.get(`${team.path}/agents`)).status).toBe(200);
    expect((await accept(person)).status).toBe(200);
    expect((await person.get("/v1/teams/pending-invites")).body.total).toBe(0);
  });

  test("grants nothing when declined, and can be sent again with another role", async () => {
    const person = await newPerson();
    const { body: row } = await team.owner.post(users, { email: person.email, roleId: editorRole });
    const first = await mailTo(person.email);
    const declined = await person.put(`${users}/${person.id}/invites`, { status: "rejected", roleId: "" });
    expect(declined).toMatchObject({ status: 200, body: { status: "rejected" } });
    expect((await person.get(team.path)).status).toBe(404);
    expect((await accept(person)).status).toBe(404);

    const again = await team.owner.put(`${users}/${row.id}/invites`, {
      status: "pending",
      roleId: viewerRole,
    });
    expect(again).toMatchObject({
      status: 200,
      body: { status: "pending", role: "viewer", userId: null },
    });
    await mailTo(person.email, (mail) => mail.headers["message-id"] !== first.headers["message-id"]);
    expect((await accept(person)).status).toBe(200);
  });

  test("is answered by the invitee only", async () => {
    const person = await newPerson();
    const bystander = await newMember(team, "admin");
    const { body: row } = await team.owner.post(users, { email: person.email, roleId: editorRole });
    for (const other of [team.owner, bystander]) {
      const answer = await other.put(`${users}/${row.id}/invites`, { status: "accepted", roleId: "" });
      expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
    expect((await team.owner.get(`${users}/${row.id}`)).body.status).toBe("pending");
    const joined = await bystander.get(`${users}/${bystander.id}`);
    const late = await team.owner.put(`${users}/${joined.body.id}/invites`, {
      status: "accepted",
      roleId: "",
    });
    expect(late).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    // Nor do they choose another role on the way.
    const promoted = await person.put(`${users}/${row.id}/invites`, {
      status: "accepted",
      roleId: ownerRole,
    });
    expect(promoted.status).toBe(400);
    const resent = await person.put(`${users}/${row.id}/invites`, { status: "pending", roleId: ownerRole });
    expect(resent.status).toBe(403);
  });

  test("is sent once per email, and not to a member", async () => {
    const person = await newMember(team, "viewer");
    for (const email of [person.email, person.email.toUpperCase()]) {
      expect((await team.owner.post(users, { email, roleId: editorRole })).status).toBe(409);
    }
    const again = { status: "pending", roleId: editorRole };
    expect((await team.owner.put(`${users}/${person.id}/invites`, again)).status).toBe(409);
    expect((await team.owner.get(`${users}/${person.id}`)).body).toMatchObject({
      role: "viewer",
      status: "accepted",
    });
  });

  test("rejects another team's role and an invalid email", async () => {
    const other = await newTeam();
    const foreign = await other.owner.post("/v1/roles", {
      teamId: other.id,
      name: "X",
      permissions: ["team.read"],
    });
    for (const roleId of [foreign.body.id, randomUUID()]) {
      expect((await team.owner.post(users, { email: uniqueEmail(), roleId })).status).toBe(400);
    }
    expect((await team.owner.post(users, { email: "nobody", roleId: editorRole })).status).toBe(400);
    expect((await team.owner.post(users, { email: uniqueEmail() })).status).toBe(400);
  });

  test("is in its recipient's language", async () => {
    const person = await newPerson();
    await person.put(`/v1/users/${person.id}`, { locale: "fr" });
    await team.owner.post(users, { email: person.email, roleId: editorRole });
    const mail = await mailTo(person.email);
    const values = { team: name, inviter: "Test Owner" };
    expect(mail.subject).toBe(sayIn("fr")("mails:invitation.subject", values));
    expect(mail.text).toContain(sayIn("fr")("mails:invitation.invitedBy", values));
    expect(mail.html).toContain('lang="fr"');
    const stranger = uniqueEmail();
    await team.owner.put(`/v1/users/${team.owner.id}`, { locale: "fr", name: "Zoé <b>" });
    await team.owner.post(users, { email: stranger, roleId: editorRole });
    const second = await mailTo(stranger);
    expect(second.text).toContain("Zoé <b> vous invite");
    expect(second.html).not.toContain("<b>");
  });

  test("reveals nothing about an account before it is accepted", async () => {
    const person = await newPerson("Known Person");
    const sql = await owner();
    await sql`update public.users set is_admin = true where id = ${person.id}`;
    const stranger = uniqueEmail();
    const [known, unknown] = await Promise.all(
      [person.email, stranger].map((email) => team.owner.post(users, { email, roleId: viewerRole })),
    );
    const shape = (answer: typeof known, email: string) => ({
      ...answer?.body,
      id: "",
      email: email && "",
      createdAt: "",
      updatedAt: "",
    });
    expect(shape(known, person.email)).toEqual(shape(unknown, stranger));
    expect(known?.body).toMatchObject({ userId: null, name: null });

    const { supabaseUrl, anonKey } = await findStack();
    const rest = async (query: string) => {
      const headers = { apikey: anonKey, Authorization: `Bearer ${team.owner.token}` };
      return await (await fetch(`${supabaseUrl}/rest/v1/${query}`, { headers })).text();
    };
    const views = async () => [
      (await team.owner.get(users)).text,
      (await team.owner.get(`${users}/${known?.body.id}`)).text,
      (await team.owner.get(`/v1/users?email=${encodeURIComponent(person.email)}`)).text,
      (await team.owner.get(`/v1/users?ids=${person.id}`)).text,
      await rest(`team_users?team_id=eq.${team.id}`),
      await rest("users?select=id,name"),
      await rest(`team_users?team_id=eq.${team.id}&select=email,users!user_id(name)`),
    ];
    for (const view of await views()) {
      expect(view).not.toContain(person.id);
      expect(view).not.toContain("Known Person");
    }
    expect((await accept(person)).status).toBe(200);
    expect((await team.owner.get(users)).body.data).toContainEqual(
      expect.objectContaining({ userId: person.id, name: "Known Person", status: "accepted" }),
    );
    // Teammates see a user's name and email, and no platform flag.
    const seen = await team.owner.get(`/v1/users/${person.id}`);
    expect(seen.body).toMatchObject({ name: "Known Person", email: person.email });
    expect(seen.body).not.toHaveProperty("isAdmin");
    for (const column of ["is_admin", "banned_at"]) {
      expect(await rest(`users?select=${column}`)).toContain("42501");
      expect(await rest(`users?select=id&${column}=not.is.null`)).toContain("42501");
    }
  });

  test("is limited per email, whoever invites and however", async () => {
    const email = uniqueEmail();
    const answers = [];
    for (let count = 0; count < 3; count++) {
      const other = await newTeam();
      const path = `/v1/teamUsers/${other.id}/users`;
      const invited = await other.owner.post(path, { email, roleId: viewerRole });
      const again = { status: "pending", roleId: editorRole };
      answers.push(invited, await other.owner.put(`${path}/${invited.body.id}/invites`, again));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200, 201, 429]);
    const last = await team.owner.post(users, { email, roleId: viewerRole });
    expect(last).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(last.headers.get("retry-after")).toMatch(/^\d+$/);
    // Nor through PostgREST.
    const { supabaseUrl, anonKey } = await findStack();
    const direct = await fetch(`${supabaseUrl}/rest/v1/team_users`, {
      method: "POST",
      headers: {
        apikey: anonKey,
        Authorization: `Bearer ${team.owner.token}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ team_id: team.id, email, role_id: viewerRole }),
    });
    expect(direct.status).toBe(429);
    expect((await team.owner.get(users)).body.total).toBe(1);
    await eventually(async () => expect(await mailsTo(email)).toHaveLength(5));
  });
});

describe("roles", () => {
  test("are assigned within the caller's own permissions", async () => {
    const admin = await newMember(team, "admin");
    const editor = await newMember(team, "editor");
    expect((await admin.post(users, { email: uniqueEmail(), roleId: ownerRole })).status).toBe(403);
    expect((await admin.post(users, { email: uniqueEmail(), roleId: adminRole })).status).toBe(201);
    expect((await editor.post(users, { email: uniqueEmail(), roleId: viewerRole })).status).toBe(403);

    const promote = (who: Person, whom: Person, roleId: string) => who.put(`${users}/${whom.id}`, { roleId });
    expect((await promote(admin, admin, ownerRole)).status).toBe(403);
    expect((await promote(editor, editor, adminRole)).status).toBe(403);
    expect((await promote(admin, team.owner, viewerRole)).status).toBe(403);
    expect((await promote(admin, editor, viewerRole)).body).toMatchObject({ role: "viewer" });
    expect((await promote(team.owner, admin, ownerRole)).body).toMatchObject({ role: "owner" });
    expect((await team.owner.get(users)).body.data.map((one: { role: string }) => one.role).sort()).toEqual([
      "admin",
      "owner",
      "owner",
      "viewer",
    ]);
  });

  test("of the last owner stay, through demotion, removal, leaving and account deletion", async () => {
    const conflict = { status: 409, body: { code: "CONFLICT", message: "A team keeps at least one owner." } };
    const one = `${users}/${team.owner.id}`;
    await newMember(team, "admin");
    expect(await team.owner.put(one, { roleId: adminRole })).toMatchObject(conflict);
    expect(await team.owner.delete(one)).toMatchObject(conflict);
    expect(await team.owner.delete(`/v1/users/${team.owner.id}`)).toMatchObject(conflict);
    expect((await team.owner.get(team.path)).body.role).toBe("owner");

    const second = await newMember(team, "owner");
    const both = await Promise.all([
      team.owner.put(one, { roleId: adminRole }),
      second.put(`${users}/${second.id}`, { roleId: adminRole }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("that are revoked end at once, with the old token", async () => {
    const editor = await newMember(team, "editor");
    expect((await editor.post(`${team.path}/agents`, { name: "Before" })).status).toBe(201);
    await team.owner.put(`${users}/${editor.id}`, { roleId: viewerRole });
    expect((await editor.post(`${team.path}/agents`, { name: "After" })).status).toBe(403);
    expect((await team.owner.delete(`${users}/${editor.id}`)).status).toBe(204);
    expect((await editor.get(`${team.path}/agents`)).status).toBe(404);
    expect((await team.owner.delete(`${users}/${editor.id}`)).status).toBe(404);
  });
});

describe("members", () => {
  test("are listed, searched, filtered and read by either id", async () => {
    const viewer = await newMember(team, "viewer");
    const { body: page } = await viewer.get(users);
    expect(page).toMatchObject({ page: 1, perPage: 20, total: 2 });
    const [first, second] = page.data;
    expect(first).toMatchObject({
      userId: team.owner.id,
      role: "owner",
      status: "accepted",
      name: "Test Owner",
    });
    expect(second).toMatchObject({ userId: viewer.id, role: "viewer", email: viewer.email });
    for (const id of [second.id, viewer.id])
      expect((await viewer.get(`${users}/${id}`)).body).toEqual(second);
    const find = async (query: string) =>
      (await viewer.get(`${users}?${query}`)).body.data.map((one: { id: string }) => one.id);
    expect(await find(`search=${viewer.email.slice(0, 20)}`)).toEqual([second.id]);
    expect(await find("search=owner")).toEqual([first.id]);
    expect(await find(`userIds=${viewer.id}`)).toEqual([second.id]);
    expect(await find(`userIds=${viewer.id},${team.owner.id}`)).toEqual([first.id, second.id]);
    expect(await find(`userIds=${viewer.id}&userIds=${team.owner.id}`)).toEqual([first.id, second.id]);
    expect(await find(`teamIds=${team.id}`)).toEqual([first.id, second.id]);
    expect(await find(`teamIds=${randomUUID()}`)).toEqual([]);
    expect(await find("perPage=1&page=2")).toEqual([second.id]);
    expect((await viewer.get(`/v1/teamUsers/${team.codename}/users`)).body.total).toBe(2);
  });

  test("may leave, and cannot remove others", async () => {
    const viewer = await newMember(team, "viewer");
    expect((await viewer.delete(`${users}/${team.owner.id}`)).status).toBe(403);
    expect((await viewer.delete(`${users}/${viewer.id}`)).status).toBe(204);
    expect((await viewer.get(team.path)).status).toBe(404);
    expect((await team.owner.get(users)).body.total).toBe(1);
  });

  test("join and leave a team that their role may not read", async () => {
    const role = { teamId: team.id, name: "Nothing", permissions: [] };
    const { body: nothing } = await team.owner.post("/v1/roles", role);
    const member = await newPerson();
    await team.owner.post(users, { email: member.email, roleId: nothing.id });
    const accepted = await accept(member, `/v1/teamUsers/${team.codename}/users`);
    expect(accepted).toMatchObject({ status: 200, body: { userId: member.id, status: "accepted" } });
    expect((await member.get(team.path)).status).toBe(404);
    expect((await member.get(users)).status).toBe(404);
    expect((await member.get(`${users}/${team.owner.id}`)).status).toBe(404);
    expect((await member.delete(`${users}/${team.owner.id}`)).status).toBe(404);
    expect((await member.delete(`${users}/${member.id}`)).status).toBe(204);
    expect((await team.owner.get(users)).body.total).toBe(1);
  });

  test("are hidden from outsiders", async () => {
    const outsider = await newPerson();
    const { body: row } = await team.owner.get(`${users}/${team.owner.id}`);
    for (const answer of [
      await outsider.get(users),
      await outsider.post(users, { email: outsider.email, roleId: ownerRole }),
      await outsider.get(`${users}/${row.id}`),
      await outsider.put(`${users}/${row.id}`, { roleId: viewerRole }),
      await outsider.put(`${users}/${row.id}/invites`, { status: "accepted", roleId: "" }),
      await outsider.delete(`${users}/${row.id}`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
    expect((await anyone.get(users)).status).toBe(401);
    expect(await team.owner.get(`${users}/${randomUUID()}`)).toMatchObject({
      status: 404,
      body: { code: "USER_NOT_EXISTS" },
    });
    const elsewhere = await newTeam();
    const wrongTeam = `/v1/teamUsers/${elsewhere.id}/users/${row.id}`;
    expect((await elsewhere.owner.get(wrongTeam)).status).toBe(404);
    expect((await elsewhere.owner.delete(wrongTeam)).status).toBe(404);
  });
});
