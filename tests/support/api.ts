// Owns an API client for tests, and the people, teams and mails that they need. Uses HTTP like any client; only people are inserted into
// the database, where a test is not about registration.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { afterAll } from "vitest";
import { type SystemRole, systemRoleIds } from "./permissions.ts";
import { findStack } from "./stack.ts";

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a body holds is what the tests find out
  body: any;
  text: string;
}
type Headed = { headers?: Record<string, string> };

export interface Client {
  get(path: string, options?: Headed): Promise<Answer>;
  post(path: string, body?: unknown, options?: Headed): Promise<Answer>;
  put(path: string, body?: unknown, options?: Headed): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
  /** Sends any bytes as the body. */
  call(method: string, path: string, body?: BodyInit | null, options?: Headed): Promise<Answer>;
  /** Posts a file as multipart/form-data in the field `file`. */
  upload(
    path: string,
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    type?: string,
  ): Promise<Answer>;
  /** The same with PUT. */
  putFile(path: string, name: string, content: string | Uint8Array<ArrayBuffer>): Promise<Answer>;
}

export interface Person extends Client {
  id: string;
  email: string;
  password: string;
  token: string;
}

export interface Team {
  id: string;
  codename: string;
  /** `/v1/teams/{id}` */
  path: string;
  owner: Person;
}

/** A client with any bearer token: a user's, an API key, a forged one. */
export function as(token: string): Client {
  return clientWith({ Authorization: `Bearer ${token}` });
}

/** A client without credentials. */
export const anyone: Client = clientWith({});

let database: Sql | undefined;

/** The owner's connection to the database, for what no client may do; closed at the end of the test file. */
export async function owner(): Promise<Sql> {
  database ??= (await findStack()).connect("postgres", { max: 2 });
  return database;
}
afterAll(async () => {
  await database?.end({ timeout: 2 });
  database = undefined;
});

/** Creates a confirmed account with an access token. */
export async function newPerson(name = "Test Person"): Promise<Person> {
  const [stack, sql] = await Promise.all([findStack(), owner()]);
  const email = uniqueEmail();
  const [row] = await sql<{ id: string }[]>`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
                            raw_user_meta_data, confirmation_token, recovery_token)
    values (private.uuid_v7(), 'authenticated', 'authenticated', ${email}, ${testHash}, now(), '{}',
            ${sql.json({ name, locale: "en" })}, '', '')
    returning id`;
  if (!row) throw new Error("No person was made");
  const token = await stack.token({ role: "authenticated", sub: row.id });
  return { id: row.id, email, password: testPassword, token, ...as(token) };
}

/** Creates a platform admin. */
export async function newAdmin(): Promise<Person> {
  const person = await newPerson("Test Admin");
  const sql = await owner();
  await sql`update public.users set is_admin = true where id = ${person.id}`;
  return person;
}

/** Creates a team with an owner of its own. */
export async function newTeam(name = "Test Team"): Promise<Team> {
  const person = await newPerson("Test Owner");
  const made = await person.post("/v1/teams", { name });
  if (made.status !== 201) throw new Error(`No team was made: ${made.text}`);
  const { id, codename } = made.body;
  return { id, codename, path: `/v1/teams/${id}`, owner: person };
}

/** Creates a user who has accepted an invitation to a team. @param role a system role or the id of any */
export async function newMember(team: Team, role: SystemRole | string): Promise<Person> {
  const person = await newPerson("Test Member");
  const roleId = role in systemRoleIds ? systemRoleIds[role as SystemRole] : role;
  const path = `/v1/teamUsers/${team.id}/users`;
  const invited = await team.owner.post(path, { email: person.email, roleId });
  const accepted = await person.put(`${path}/${person.id}/invites`, { status: "accepted", roleId: "" });
  if (accepted.status !== 200) throw new Error(`Not joined: ${invited.text} ${accepted.text}`);
  return person;
}

export type Mail = { subject: string; text: string; html: string; headers: Record<string, string> };

/** All mails delivered to an address, oldest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const { mailboxUrl } = await findStack();
  const all = (await (await fetch(`${mailboxUrl}/email`)).json()) as (Mail & { to: { address: string }[] })[];
  return all.filter(({ to }) => to.some((one) => one.address.toLowerCase() === address.toLowerCase()));
}

/** The newest mail to an address that `matches`; waits for its delivery. */
export async function mailTo(address: string, matches: (mail: Mail) => boolean = () => true): Promise<Mail> {
  for (const started = Date.now(); Date.now() - started < 60_000; await sleep(100)) {
    const found = (await mailsTo(address)).filter(matches).at(-1);
    if (found) return found;
  }
  throw new Error(`No such mail came to ${address}`);
}

/** The code in a mail's link. */
export function codeIn(mail: Mail): string {
  const code = /[?&]code=([^&\s]+)/.exec(mail.text)?.[1];
  if (!code) throw new Error(`There is no code in: ${mail.text}`);
  return code;
}

export const uniqueEmail = (word = "person") => `${word}-${randomUUID()}@parley.test`;

export const testPassword = "a-long-enough-1";
/** bcrypt of testPassword with its least cost: a login checks it in 1 ms instead of 86. */
const testHash = "$2b$04$SkjrWByYwrFhBpnPuqVeNOs0ufx3dF32I1golyS7Ee//LinxxkVda";

function clientWith(auth: Record<string, string>): Client {
  const call: Client["call"] = async (method, path, body, { headers = {} } = {}) => {
    const { apiUrl } = await findStack();
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      redirect: "manual",
      headers: { ...auth, ...headers },
      body: body ?? null,
    });
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json") && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      text,
    };
  };
  const send = (method: string, path: string, body: unknown, { headers = {} }: Headed = {}) =>
    body === undefined
      ? call(method, path, null, { headers })
      : call(method, path, JSON.stringify(body), {
          headers: { "Content-Type": "application/json", ...headers },
        });
  return {
    call,
    get: (path, options) => call("GET", path, null, options),
    post: (path, body, options) => send("POST", path, body, options),
    put: (path, body, options) => send("PUT", path, body, options),
    delete: (path, body) => send("DELETE", path, body),
    upload: (path, name, content, type) => call("POST", path, fileForm(name, content, type)),
    putFile: (path, name, content) => call("PUT", path, fileForm(name, content)),
  };
}

function fileForm(name: string, content: string | Uint8Array<ArrayBuffer>, type?: string): FormData {
  const form = new FormData();
  form.set("file", new File([content], name, type === undefined ? {} : { type }), name);
  return form;
}
