// POST /onboarding/file: the file upload of the first steps, for browsers without JavaScript. Streams the file to the
// API, attaches it to the team's onboarding and redirects back. The API makes every check on the file and on who may
// add it.
import type { Context } from "hono";
import { documentLanguageOf } from "../../locales/registry.ts";
import { ApiFailure } from "./api-failure.ts";
import { sendCookies } from "./cookies.ts";
import { describeFailure } from "./describe-failure.ts";
import { env } from "./env.ts";
import { i18nFor } from "./i18n.ts";
import { keepToast, type RequestScope } from "./request-scope.ts";
import { commonHeaders } from "./security-headers.ts";
import { openScope } from "./side-scope.ts";
import type { WebEnv } from "./web-env.ts";

const STEPS = "/onboarding";
/** Limit for the whole upload. The API aborts a stalled upload much earlier. */
const UPLOAD_MS = 10 * 60_000;

/** Always redirects: to the first steps, or to the login when there is no session. */
export async function receiveFirstFile(c: Context<WebEnv>): Promise<Response> {
  const scope = await openScope(c, STEPS);
  const { t } = i18nFor(scope.locale);
  if (!scope.user || !scope.team) return redirectTo(`/login?next=${STEPS}`, scope);
  try {
    const { id: teamId } = scope.team;
    const file = await storeFile(c, scope, teamId);
    const given = { fileIds: [file.id], language: documentLanguageOf(scope.locale) };
    await scope.api.send("POST", "/v1/teams/{teamId}/onboarding", { teamId }, given);
    keepToast(scope.cookies, { title: t("onboarding:received", { name: file.name }) });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    keepToast(scope.cookies, { ...describeFailure(error, t, scope, false), variant: "destructive" });
  }
  return redirectTo(STEPS, scope);
}

/** Streams the body on, so the web server never holds a whole file. */
async function storeFile(
  c: Context<WebEnv>,
  scope: RequestScope,
  teamId: string,
): Promise<{ id: string; name: string }> {
  const request = c.req.raw;
  const path = `/v1/teams/${teamId}/files/upload`;
  const headers = new Headers({
    authorization: `Bearer ${await scope.api.token()}`,
    "content-type": request.headers.get("content-type") ?? "",
    "x-request-id": scope.id,
    "accept-language": scope.locale,
  });
  const clientAddress = c.get("clientAddress");
  if (clientAddress) headers.set("x-forwarded-for", clientAddress);
  let answer: Response;
  try {
    answer = await fetch(`${env.SUPABASE_INTERNAL_URL}/functions/v1${path}`, {
      method: "POST",
      headers,
      body: request.body,
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(UPLOAD_MS)]),
      ...(request.body ? { duplex: "half" } : {}),
    });
  } catch (cause) {
    const failure = new ApiFailure(path, 503, "Service Unavailable", { code: "UNAVAILABLE" });
    failure.cause = cause;
    throw failure;
  }
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw new ApiFailure(path, answer.status, answer.statusText, body);
  return body as { id: string; name: string };
}

function redirectTo(location: string, { cookies }: RequestScope): Response {
  const headers = new Headers({ ...commonHeaders, location, "cache-control": "no-store" });
  sendCookies(cookies, headers);
  return new Response(null, { status: 303, headers });
}
