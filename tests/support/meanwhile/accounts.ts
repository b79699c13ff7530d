// Refusals of the forms about accounts: links that were used, sessions that ended, addresses that were taken, and what anybody may send.
import { createHash } from "node:crypto";
import { anyone, as, codeIn, type Mail, mailTo, newPerson, owner, type Person, uniqueEmail } from "../api.ts";
import type { Refused, Stand } from "./stand.ts";

const otherPassword = "another-long-one-2";

async function resetCode({ email }: Person): Promise<string> {
  await anyone.post("/v1/auth/forgotPassword", { email });
  return codeIn(await mailTo(email, ({ text }) => text.includes("forgot-password")));
}

const resetPage = ({ email }: Person, code: string) =>
  `/forgot-password?${new URLSearchParams({ email, code })}`;

/** A change of address that waits, with the code of each mailbox. */
async function askedChange(person: Person) {
  const login = { email: person.email, password: person.password, deviceId: "app" };
  const session = as((await anyone.post("/v1/auth/login", login)).body.accessToken);
  const email = uniqueEmail("moved");
  await session.put("/v1/auth/email", { email, currentPassword: person.password });
  const asks = ({ text }: Mail) => text.includes("/confirm-email?");
  return {
    email,
    session,
    ofNew: codeIn(await mailTo(email, asks)),
    ofCurrent: codeIn(await mailTo(person.email, asks)),
  };
}

const spentLinks: Refused[] = [
  {
    code: "codeSpent",
    says: "errors:refusals.codeSpent",
    status: 400,
    at: "above",
    open: async (stand) => {
      const person = await newPerson();
      const code = await resetCode(person);
      return {
        web: await stand.browser(),
        page: resetPage(person, code),
        form: "reset",
        typed: { password: otherPassword },
        meanwhile: () =>
          anyone.post("/v1/auth/forgotPassword/confirm", {
            code,
            username: person.email,
            password: otherPassword,
          }),
      };
    },
  },
  {
    code: "codeSpent",
    says: "errors:refusals.codeSpent",
    status: 400,
    at: "above",
    open: async (stand) => {
      const { ofNew, session } = await askedChange(await newPerson());
      return {
        web: await stand.browser(),
        page: `/confirm-email?code=${ofNew}`,
        meanwhile: () => session.delete("/v1/auth/email/pending"),
      };
    },
  },
  {
    code: "USER_EXISTS",
    says: "errors:USER_EXISTS.description",
    status: 409,
    at: "above",
    open: async (stand) => {
      const { email, ofNew, ofCurrent } = await askedChange(await newPerson());
      await anyone.post("/v1/auth/email/confirm", { code: ofNew });
      return {
        web: await stand.browser(),
        page: `/confirm-email?code=${ofCurrent}`,
        meanwhile: async () => {
          const other = await newPerson();
          const sql = await owner();
          await sql`update auth.users set email = ${email} where id = ${other.id}`;
        },
      };
    },
  },
  {
    code: "passwordTooLong",
    says: "errors:refusals.passwordTooLong",
    status: 400,
    at: "password",
    open: async (stand) => {
      const person = await newPerson();
      return {
        web: await stand.browser(),
        page: resetPage(person, await resetCode(person)),
        form: "reset",
        typed: { password: "é".repeat(40) },
      };
    },
  },
];

const logins: Refused[] = [
  {
    code: "USER_NOT_AUTHORIZED",
    says: "errors:USER_NOT_AUTHORIZED.description",
    status: 401,
    at: "above",
    open: async (stand) => {
      const { email } = await newPerson();
      return { web: await stand.browser(), page: "/login", typed: { email, password: otherPassword } };
    },
  },
  {
    code: "USER_BANNED",
    says: "errors:USER_BANNED.description",
    values: { supportEmail: /\S+/ },
    status: 403,
    at: "above",
    open: async (stand) => {
      const person = await newPerson();
      const { email, password } = person;
      const sql = await owner();
      return {
        web: await stand.browser(),
        page: "/login",
        typed: { email, password },
        meanwhile: () =>
          sql`update auth.users set banned_until = now() + interval '1 year' where id = ${person.id}`,
      };
    },
  },
  {
    code: "USER_NOT_CONFIRMED",
    says: "errors:USER_NOT_CONFIRMED.description",
    status: 303,
    at: "next",
    open: async (stand) => {
      const email = uniqueEmail("unconfirmed");
      const body = { name: "Test", email, password: otherPassword, deviceId: "app" };
      await anyone.post("/v1/auth/register", body);
      return { web: await stand.browser(), page: "/login", typed: { email, password: otherPassword } };
    },
  },
  {
    code: "USER_NOT_VERIFIED",
    says: "errors:USER_NOT_VERIFIED.description",
    values: { supportEmail: /\S+/ },
    status: 303,
    at: "next",
    open: async (stand) => {
      const email = uniqueEmail("contested");
      const body = { name: "Test", email, password: otherPassword, deviceId: "app" };
      await anyone.post("/v1/auth/register", body);
      return {
        web: await stand.browser(),
        page: "/login",
        typed: { email, password: otherPassword },
        // Registered again by somebody else, so nobody knows whose password it is.
        meanwhile: () => anyone.post("/v1/auth/register", { ...body, password: "somebody-elses-1" }),
      };
    },
  },
  {
    code: "USER_EXISTS",
    says: "errors:USER_EXISTS.description",
    status: 303,
    at: "next",
    open: async (stand) => {
      const { email } = await newPerson();
      return {
        web: await stand.browser(),
        page: "/register",
        typed: { name: "Test", email, password: otherPassword },
      };
    },
  },
];

const endSessions = ({ id }: Person, { sql }: Stand) => sql`delete from auth.sessions where user_id = ${id}`;

const ownSessions: Refused[] = [
  {
    code: "NOT_AUTHENTICATED",
    says: "auth:login.endedText.unsaved",
    status: 303,
    at: "next",
    open: async (stand) => {
      const person = await stand.member("editor");
      const agent = await stand.create("/agents", { name: "Edited" });
      return {
        web: await stand.browser(person),
        page: `${stand.at}/agents/${agent}`,
        typed: { instructions: "Typed before the session ended." },
        meanwhile: () => endSessions(person, stand),
      };
    },
  },
  {
    code: "emailSame",
    says: "errors:refusals.emailSame",
    status: 400,
    at: "email",
    open: async (stand) => {
      const person = await stand.member("viewer");
      return {
        web: await stand.browser(person),
        page: "/account",
        form: "email",
        typed: { email: person.email, currentPassword: person.password },
      };
    },
  },
  {
    code: "NOT_FOUND",
    says: "errors:NOT_FOUND.description",
    status: 404,
    at: "page",
    open: async (stand) => {
      const person = await stand.member("viewer");
      const { session } = await askedChange(person);
      return {
        web: await stand.browser(person),
        page: "/account",
        form: "emailCancel",
        meanwhile: () => session.delete("/v1/auth/email/pending"),
      };
    },
  },
];

const anybodys: Refused[] = [
  {
    code: "RATE_LIMITED",
    // In the last two minutes of the hour.
    says: ["problems:sentences.limitAttemptsMinutes", "problems:sentences.limitAttempts"],
    values: { minutes: /\d+/, seconds: /\d+/ },
    status: 429,
    at: "above",
    open: async (stand) => {
      const email = uniqueEmail("eager");
      return {
        web: await stand.browser(),
        page: "/beta",
        typed: { email },
        meanwhile: async () => {
          for (let count = 0; count < 10; count++) await anyone.post("/v1/beta", { email });
          // An hour may begin before the form is sent.
          const digest = createHash("sha256").update(email).digest("base64url");
          await stand.sql`
            insert into private.rate_limits (key, window_start, hits)
            select key, window_start + interval '1 hour', 10 from private.rate_limits where key = ${`beta:for:${digest}`}
            on conflict (key, window_start) do update set hits = excluded.hits`;
        },
      };
    },
  },
  {
    code: ["PAYLOAD_TOO_LARGE", "tooLarge"],
    says: "errors:refusals.tooLarge",
    values: { limit: 1 },
    status: 413,
    at: "page",
    open: async (stand) => ({
      web: await stand.browser(),
      page: "/support",
      typed: { email: "a@parley.test", subject: "Long", message: "A word. ".repeat(200_000) },
    }),
  },
];

/** A file to the first steps, whose form works without JavaScript. */
const upload = (file: (stand: Stand) => File, one: Pick<Refused, "code" | "says" | "values">): Refused => ({
  ...one,
  status: 303,
  at: "next",
  open: async (stand) => ({
    page: "/onboarding",
    action: "/onboarding/file",
    typed: {},
    body: () => {
      const form = new FormData();
      form.set("file", file(stand));
      return form;
    },
  }),
});

const uploads: Refused[] = [
  upload(() => new File([], "empty.md"), {
    code: "fileEmpty",
    says: "errors:refusals.fileEmpty",
    values: { name: "empty.md" },
  }),
  upload(() => new File(["Text."], `${"n".repeat(256)}.md`), {
    code: "fileNameLong",
    says: "errors:refusals.fileNameLong",
  }),
  upload(() => new File(["Text."], " "), { code: "fileNameEmpty", says: "errors:refusals.fileNameEmpty" }),
  upload(() => new File([new Uint8Array(50 * 2 ** 20 + 1)], "large.md"), {
    code: "fileTooLarge",
    says: "errors:refusals.fileTooLarge",
    values: { name: "large.md", limit: 50 },
  }),
];

export const accountsMeanwhile: Refused[] = [
  ...spentLinks,
  ...logins,
  ...ownSessions,
  ...anybodys,
  ...uploads,
];
