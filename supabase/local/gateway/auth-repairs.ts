// Owns the responses of /auth/v1 where lite differs from hosted Supabase: repeated sign-up, resend, passwords, bans.
// Must not add calls that hosted Supabase lacks: /v1/auth runs unchanged against both.
import { createHash, randomInt, randomUUID } from "node:crypto";
import { compare } from "bcryptjs";
import type { Lite } from "./lite.ts";
import { CODE_DIGITS } from "./lite.ts";
import { inTurn } from "./turns.ts";

interface UserRow {
  id: string;
  email: string;
  confirmed: boolean;
  /** bcrypt hash; null for a user without a password. */
  password: string | null;
}

/** A hash that no password matches, so that an unknown address takes as long as a known one. */
const NOBODY = "$2b$10$C6UzMDM.H6dfI/f/IKcEeO7s1uFQ5QqKJpXn0lYwK2u6vWc9wWv2e";

/** Serves one /auth/v1 request that the gateway has admitted. */
export async function serveAuth(request: Request, lite: Lite): Promise<Response> {
  const url = new URL(request.url);
  const call = `${request.method} ${url.pathname}`;
  if (call === "POST /auth/v1/resend") {
    const body = await readBody(request.clone());
    if (body.type === "signup") return resendSignup(body, lite);
  }
  if (call === "POST /auth/v1/signup") {
    const { email } = await readBody(request.clone());
    return inTurn(`signup ${String(email).toLowerCase()}`, () => signUp(request, lite));
  }
  if (call === "POST /auth/v1/otp" || call === "POST /auth/v1/magiclink") {
    return refuse(
      422,
      "otp_disabled",
      "Login by code is off: lite would make a confirmed user for any address",
    );
  }
  if (call === "POST /auth/v1/token") return token(request, url.searchParams.get("grant_type"), lite);
  return lite.app.fetch(request);
}

async function token(request: Request, grant: string | null, lite: Lite): Promise<Response> {
  const body = await readBody(request.clone());
  // In parallel, two refreshes with the same token would each start a chain of valid tokens.
  const response = await inTurn(`${grant} ${String(body.refresh_token ?? randomUUID())}`, async () =>
    lite.app.fetch(request),
  );
  if (response.ok) return refuseBanned(response, lite);
  if (grant !== "password") return response;
  const { error_code: reason } = await readBody(response.clone());
  const email = typeof body.email === "string" ? body.email : "";
  const password = typeof body.password === "string" ? body.password : "";
  const user = await findUser(email, lite);
  if (reason === "invalid_credentials" && !user?.password) await compare(password, NOBODY);
  // lite reports an unconfirmed address before it checks the password.
  if (reason === "email_not_confirmed" && !(await compare(password, user?.password ?? NOBODY))) {
    return refuse(400, "invalid_credentials", "Invalid login credentials");
  }
  return response;
}

/** A known address gets hosted Supabase's response: a fictitious user without identities, or the confirmation mail again. */
async function signUp(request: Request, lite: Lite): Promise<Response> {
  const body = await readBody(request.clone());
  if (typeof body.email !== "string") return lite.app.fetch(request);
  const isKnown = (await findUser(body.email, lite)) !== undefined;
  const response = await lite.app.fetch(request);
  // Hosted Supabase creates no account whose mail it could not send.
  if (response.status >= 500 && !isKnown) await forgetUser(body.email, lite);
  if (response.status !== 429) return response;
  const user = await findUser(body.email, lite);
  if (!user) return response;
  if (!user.confirmed) await sendConfirmation(user, lite);
  const now = new Date().toISOString();
  return Response.json({
    id: user.confirmed ? randomUUID() : user.id,
    aud: "authenticated",
    role: user.confirmed ? "" : "authenticated",
    email: user.email,
    phone: "",
    confirmation_sent_at: now,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: {},
    identities: user.confirmed ? [] : [{ id: user.id, user_id: user.id, provider: "email" }],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  });
}

/** Does not reveal whether the address is known, like hosted Supabase. */
async function resendSignup(body: Record<string, unknown>, lite: Lite): Promise<Response> {
  if (typeof body.email !== "string" || !body.email) {
    return refuse(400, "validation_failed", "Type provided requires an email address");
  }
  const user = await findUser(body.email, lite);
  if (user && !user.confirmed) await sendConfirmation(user, lite);
  return Response.json({});
}

async function sendConfirmation(user: UserRow, lite: Lite): Promise<void> {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  // The hash that lite compares with in POST /verify.
  const hash = createHash("sha256")
    .update(user.email.toLowerCase() + code)
    .digest("hex");
  await lite.app.connection.driver`
    update auth.users set confirmation_token = ${hash}, confirmation_sent_at = now() where id = ${user.id}`;
  await lite.mailer.sendConfirmation(user.email, hash, code, { userId: user.id });
}

/** lite logs banned users in, so the session that it has just created is deleted. */
async function refuseBanned(response: Response, lite: Lite): Promise<Response> {
  const session = await readBody(response.clone());
  const user = session.user;
  const id = user && typeof user === "object" && "id" in user ? String(user.id) : "";
  const sql = lite.app.connection.driver;
  const [row] = await sql`select 1 from auth.users where id = ${id} and banned_until > now()`;
  if (!row) return response;
  await sql`delete from auth.refresh_tokens where user_id::text = ${id}`;
  await sql`delete from auth.sessions where user_id::text = ${id}`;
  return refuse(400, "user_banned", "User is banned");
}

async function findUser(email: string, lite: Lite): Promise<UserRow | undefined> {
  const rows = await lite.app.connection.driver<UserRow[]>`
    select id, email, confirmed_at is not null as confirmed, encrypted_password as password
    from auth.users where lower(email) = ${email.toLowerCase()} limit 1`;
  return rows[0];
}

async function forgetUser(email: string, lite: Lite): Promise<void> {
  await lite.app.connection.driver`
    delete from auth.users where lower(email) = ${email.toLowerCase()} and confirmed_at is null`;
}

async function readBody(message: Request | Response): Promise<Record<string, unknown>> {
  const value: unknown = await message.json().catch(() => undefined);
  return value && typeof value === "object" ? { ...value } : {};
}

function refuse(status: number, code: string, message: string): Response {
  return Response.json(
    { code: status, error_code: code, msg: message },
    { status, headers: { "x-sb-error-code": code } },
  );
}
