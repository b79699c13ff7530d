// Strangers' text in names and tickets, as mailed: words only, without a header, markup or link of theirs.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, type Mail, mailTo, newTeam, owner, type Team, uniqueEmail } from "../support/api.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let webUrl: string;
beforeAll(async () => {
  ({ webUrl } = await findStack());
  team = await newTeam();
});

const markup = `"><img src=x onerror=alert(1)><a href="https://evil.test">Click</a> & <script>alert(1)</script>`;
const breaking = [
  "Team\r\nBcc: victim@evil.test",
  "Team\nContent-Type: text/html\n\n<b>x</b>",
  "Team\u0000x",
  "Team\u2028x",
];

/** None of the text above is markup in the mail, and every link of its HTML leads to us. */
function expectHarmless({ html, headers, subject }: Mail): void {
  expect(html).not.toMatch(/<(img|script|iframe|form)\b/i);
  for (const [, href = ""] of html.matchAll(/<a\b[^>]*href="([^"]*)"/gi))
    expect(new URL(href.replaceAll("&#38;", "&").replaceAll("&amp;", "&")).origin).toBe(
      new URL(webUrl).origin,
    );
  expect(subject).not.toMatch(/[\r\n]/);
  expect(Object.keys(headers)).not.toContain("bcc");
  expect(JSON.stringify(headers)).not.toContain("victim@evil.test");
}

const invite = async (email: string) => {
  const body = { email, roleId: systemRoleIds.viewer };
  const { status, text } = await team.owner.post(`/v1/teamUsers/${team.id}/users`, body);
  expect([status, text]).toEqual([201, text]);
  return await mailTo(email);
};

describe("an invitation", () => {
  test("shows a team's and a person's name as text", async () => {
    expect((await team.owner.put(team.path, { name: markup.slice(0, 100) })).status).toBe(200);
    expect(
      (await team.owner.put(`/v1/users/${team.owner.id}`, { name: `Ada ${markup}`.slice(0, 100) })).status,
    ).toBe(200);
    const mail = await invite(uniqueEmail());
    expectHarmless(mail);
    expect(mail.subject).toContain("<img src=x");
  });

  test.each(["en", "fr"])("makes no address of a name clickable, in %s", async (language) => {
    const name = "Win at http://evil.example now";
    expect((await team.owner.put(team.path, { name })).status).toBe(200);
    const locale = { locale: language };
    expect(
      (await team.owner.put(`/v1/users/${team.owner.id}`, { name: `Ada, ${name}`, ...locale })).status,
    ).toBe(200);
    const mail = await invite(uniqueEmail());
    for (const part of [mail.subject, mail.text, mail.html]) {
      expect(part).toContain("Win at http: //evil. example now");
      expect(part).not.toContain("evil.example");
    }
  });

  test("has no header from a name: the API and the database reject line breaks", async () => {
    for (const name of breaking) {
      const { status, body } = await team.owner.put(team.path, { name });
      expect([name, status === 400 || !/\p{Cc}/u.test(body.name)]).toEqual([name, true]);
    }
    const sql = await owner();
    const planted = sql`update public.teams set name = ${"Team\r\nBcc: victim@evil.test"} where id = ${team.id}`;
    await expect(planted).rejects.toMatchObject({ constraint_name: "teams_name_plain" });
    expectHarmless(await invite(uniqueEmail()));
    await team.owner.put(team.path, { name: "Plain" });
  });

  test("links to this installation's address, whatever the request's host", async () => {
    const email = uniqueEmail();
    const headers = {
      "X-Forwarded-Host": "evil.test",
      "X-Forwarded-Proto": "https",
      Forwarded: "host=evil.test",
      Origin: "https://evil.test",
    };
    const body = { email, roleId: systemRoleIds.viewer };
    expect((await team.owner.post(`/v1/teamUsers/${team.id}/users`, body, { headers })).status).toBe(201);
    expectHarmless(await mailTo(email));
    const account = uniqueEmail();
    const registered = {
      name: markup.slice(0, 100),
      email: account,
      password: "a-long-enough-1",
      deviceId: "app",
    };
    expect((await anyone.post("/v1/auth/register", registered, { headers })).status).toBe(201);
    const confirm = await mailTo(account);
    expectHarmless(confirm);
    expect(confirm.text).toContain(`${webUrl}/confirm?code=`);
    expect((await anyone.post("/v1/auth/forgotPassword", { email: account }, { headers })).status).toBe(202);
    expectHarmless(
      await mailTo(account, ({ text }) => text.includes("/forgot-password") || text.includes("code=")),
    );
  });
});

describe("a ticket", () => {
  test("is mailed as text, with one reply address", async () => {
    const mark = randomUUID();
    const ticket = {
      email: uniqueEmail(),
      name: markup.slice(0, 80),
      subject: `Help ${mark}`,
      message: `${markup}\r\n.\r\nQUIT`,
    };
    expect((await anyone.post("/v1/support/tickets", ticket)).status).toBe(201);
    const mail = await mailTo("support@parley.test", ({ subject }) => subject.includes(mark));
    expectHarmless(mail);
    expect(mail.text).toContain("QUIT");
    expect(mail.headers["reply-to"]).toBe(ticket.email);
    const forged = [
      { ...ticket, subject: "x\r\nBcc: victim@evil.test" },
      { ...ticket, email: "a@parley.test, victim@evil.test" },
      { ...ticket, email: "a@parley.test\r\nBcc: victim@evil.test" },
      { ...ticket, email: `"a@parley.test> <victim"@evil.test` },
    ];
    for (const one of forged) expect((await anyone.post("/v1/support/tickets", one)).status).toBe(400);
  });
});
