// Embedding spaces: platform admins write them, logged-in users read them.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import {
  anyone,
  type Client,
  newAdmin,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
} from "../support/api.ts";
import { findStack } from "../support/stack.ts";

let admin: Person;
let person: Person;
beforeAll(async () => {
  [admin, person] = await Promise.all([newAdmin(), newPerson()]);
});

const space = () => ({ name: `Space ${randomUUID()}`, model: `model-${randomUUID()}`, dimensions: 64 });

test("platform admins write embedding spaces, logged-in users read them", async () => {
  const values = space();
  const made = await admin.post("/v1/vectors", values);
  expect(made).toMatchObject({ status: 201, body: { ...values, status: "active" } });
  const path = `/v1/vectors/${made.body.id}`;
  expect((await person.get(path)).body).toEqual(made.body);
  const changed = await admin.put(path, { status: "disabled" });
  expect(changed.body).toMatchObject({ ...values, status: "disabled" });
  for (const query of [`search=${values.model.slice(0, 30)}`, `search=${values.name}&status=disabled`]) {
    expect((await person.get(`/v1/vectors?${query}`)).body).toMatchObject({
      total: 1,
      data: [{ id: made.body.id }],
    });
  }
  expect((await person.get(`/v1/vectors?search=${values.name}&status=active`)).body.total).toBe(0);
  expect((await person.get("/v1/vectors?status=broken")).status).toBe(400);
  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.delete(path)).status).toBe(404);
});

test("other callers are refused, and nothing changes", async () => {
  const { body } = await admin.post("/v1/vectors", space());
  const path = `/v1/vectors/${body.id}`;
  expect((await person.post("/v1/vectors", space())).status).toBe(403);
  expect((await person.put(path, { name: "x" })).status).toBe(403);
  expect((await person.delete(path)).status).toBe(403);
  expect((await person.put(`/v1/vectors/${randomUUID()}`, { name: "x" })).status).toBe(404);
  expect((await person.get(path)).body).toEqual(body);
  for (const answer of [
    await anyone.get("/v1/vectors"),
    await anyone.get(path),
    await anyone.post("/v1/vectors", {}),
  ]) {
    expect(answer.status).toBe(401);
  }
  await admin.delete(path);
});

test("one model and size form one space", async () => {
  const values = space();
  const { body } = await admin.post("/v1/vectors", values);
  expect((await admin.post("/v1/vectors", { ...values, name: "Other" })).status).toBe(409);
  for (const change of [
    { dimensions: 0 },
    { dimensions: 4001 },
    { dimensions: 1.5 },
    { status: "x" },
    { name: "" },
  ]) {
    expect((await admin.post("/v1/vectors", { ...space(), ...change })).status).toBe(400);
  }
  await admin.delete(`/v1/vectors/${body.id}`);
});

test("a team's own space is read by those who read its knowledge bases, and by platform admins", async () => {
  const [team, sql, other] = await Promise.all([newTeam(), owner(), newTeam()]);
  const knowledge = await team.owner.post(`${team.path}/knowledges`, { name: "In its own space" });
  const model = `connection:${randomUUID()}`;
  const [made] = await sql<{ id: string }[]>`
    insert into public.vectors (name, model, dimensions) values ('A team''s own model (8)', ${model}, 8) returning id`;
  await sql`update public.knowledges set vector_id = ${made?.id ?? null} where id = ${knowledge.body.id}`;
  const lists = (who: Client) => who.get(`/v1/vectors?search=${encodeURIComponent(model)}`);
  for (const [who, seen] of [
    [team.owner, 1],
    [await newMember(team, "viewer"), 1],
    [admin, 1],
    [other.owner, 0],
    [person, 0],
  ] as const) {
    expect((await lists(who)).body.total).toBe(seen);
    expect((await who.get(`/v1/vectors/${made?.id}`)).status).toBe(seen ? 200 : 404);
  }
  const { supabaseUrl, anonKey } = await findStack();
  const rows = await fetch(`${supabaseUrl}/rest/v1/vectors?id=eq.${made?.id}`, {
    headers: { apikey: anonKey, Authorization: `Bearer ${person.token}` },
  });
  expect(await rows.json()).toEqual([]);
  expect((await team.owner.delete(team.path)).status).toBe(204);
  await sql`delete from public.vectors where id = ${made?.id ?? null}`;
});
