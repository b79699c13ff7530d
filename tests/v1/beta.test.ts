// The beta list: anyone joins it once, and no client reads it.
import { expect, test } from "vitest";
import { anyone, newPerson, owner, uniqueEmail } from "../support/api.ts";

test("anyone joins the list once, and nobody can read it", async () => {
  const email = uniqueEmail("beta");
  const first = await anyone.post("/v1/beta", { email, name: "Ada" });
  const second = await anyone.post("/v1/beta", { email: email.toUpperCase(), name: "Ada" });
  expect([first.status, first.body]).toEqual([201, { email, name: "Ada" }]);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  const sql = await owner();
  expect(await sql`select 1 from public.beta_signups where email = ${email}`).toHaveLength(1);
  const person = await newPerson();
  expect((await person.get("/v1/beta")).status).toBe(405);
});

test("an email is required", async () => {
  for (const body of [
    {},
    { email: "" },
    { email: "x" },
    { email: uniqueEmail(), name: "" },
    { email: 1 },
    null,
  ]) {
    expect((await anyone.post("/v1/beta", body)).status).toBe(400);
  }
  expect((await anyone.post("/v1/beta", { email: uniqueEmail() })).body).toMatchObject({ name: null });
});
