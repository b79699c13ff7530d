import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { anyone, mailsTo, mailTo, newPerson, owner, uniqueEmail } from "../support/api.ts";

test("a ticket is stored, and mailed to the support address with the sender to answer to", async () => {
  const email = uniqueEmail("asks");
  const subject = `Help <b>${randomUUID()}</b>`;
  const message = "First line\nsecond line & <i>“more”</i>";
  const made = await anyone.post("/v1/support/tickets", { email, name: "Zoé", subject, message });
  expect(made).toMatchObject({ status: 201, body: { email, name: "Zoé", subject, message } });
  const mail = await mailTo("support@parley.test", (one) => one.subject.includes(subject));
  expect(mail.headers["reply-to"]).toBe(email);
  expect(mail.text).toContain(message);
  expect(mail.text).toContain(`Zoé, ${email}. Ticket ${made.body.id}`);
  expect(mail.html).not.toMatch(/<[bi]>/);
  const sql = await owner();
  const [row] = await sql`select user_id, mailed_at from public.support_tickets where id = ${made.body.id}`;
  expect(row).toMatchObject({ user_id: null, mailed_at: expect.any(Date) });
  expect(await mailsTo(email)).toEqual([]);
});

test("a ticket of somebody logged in says who they are", async () => {
  const person = await newPerson();
  const body = { email: person.email, subject: "s", message: "m" };
  const made = await person.post("/v1/support/tickets", body);
  expect(made).toMatchObject({ status: 201, body: { name: null } });
  const sql = await owner();
  const [row] = await sql`select user_id from public.support_tickets where id = ${made.body.id}`;
  expect(row?.user_id).toBe(person.id);
  expect((await person.post("/v1/support/tickets", { ...body, userId: person.id })).status).toBe(400);
});

test("a ticket waits when it could not be mailed, and goes out with the next", async () => {
  const sql = await owner();
  const [waiting] = await sql`
    insert into public.support_tickets (email, subject, message) values ('waits@parley.test', 'Waited', 'm') returning id`;
  await anyone.post("/v1/support/tickets", { email: uniqueEmail(), subject: "Next", message: "m" });
  await mailTo("support@parley.test", ({ text }) => text.includes(String(waiting?.id)));
});

test.each([
  ["no message", { message: "" }],
  ["a message that is too long", { message: "x".repeat(10_001) }],
  ["a subject of two lines", { subject: "a\nBcc: everyone@parley.test" }],
  ["an e-mail of two", { email: "a@b.test, c@d.test" }],
  ["an e-mail with a header", { email: "a@b.test\r\nBcc: c@d.test" }],
])("a ticket with %s is refused", async (_what, change) => {
  const body = { email: uniqueEmail(), subject: "s", message: "m", ...change };
  expect(await anyone.post("/v1/support/tickets", body)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: [{ path: Object.keys(change)[0] }] },
  });
});

test("one address writes so often and no more", async () => {
  const email = uniqueEmail();
  const statuses = [];
  for (let count = 0; count < 11; count++) {
    const { status } = await anyone.post("/v1/support/tickets", { email, subject: "s", message: "m" });
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array(10).fill(201), 429]);
});
