// POST /onboarding/file: the first steps' file, for browsers that run no script. Streams it to the API as it comes, gives it
// to the team's onboarding and leads back. Every check on the file and on who may add it stays with the API.
import type { Context } from "hono";
import { documentLanguageOf } from "../../locales/registry.ts";
import { ApiFailure } from "./api-failure.ts";
import { describeFailure } from "./describe-failure.ts";
import { env } from "./env.ts";
import { i18nFor } from "./i18n.ts";
import { pages } from "./pages.ts";
import { keepToast, openScope, type RequestScope } from "./request-scope.ts";
import { commonHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";

const STEPS = "/onboarding";
/** For a whole file; the API gives up one that stops coming much earlier. */
const UPLOAD_MS = 10 * 60_000;

/** Answers with a redirect in every case: to the first steps, or to the login of somebody who has no session. */
export async function receiveFirstFile(c: Context<WebEnv>): Promise<Response> {
  const request = c.req.raw;
  const scope = await openScope({
    request,
    requestId: c.get("requestId"),
    nonce: "",
    clientAddress: c.get("clientAddress"),
    url: new URL(STEPS, request.url),
    wantsPayload: false,
    form: null,
    pages: pages(),
  });
  const { t } = i18nFor(scope.locale);
  if (!scope.user || !scope.team) return leadTo(`/login?next=${STEPS}`, scope);
  try {
    const { id: teamId } = scope.team;
    const file = await storeFile(c, scope, teamId);
    const given = { fileIds: [file.id], language: documentLanguageOf(scope.locale) };
    await scope.api.send("POST", "/v1/teams/{teamId}/onboarding", { teamId }, given);
    keepToast(scope.cookies, { title: t("onboarding:received", { name: file.name }) });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const { title, description } = describeFailure(error, t, scope);
    const [detail] = error.details;
    keepToast(scope.cookies, {
      title,
      description: detail?.message ?? description,
      variant: "destructive",
    });
  }
  return leadTo(STEPS, scope);
}

/** The body goes on unread, so that no file is ever held here whole. */
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
  });
  const clientAddress = c.get("clientAddress");
  if (clientAddress) headers.set("x-forwarded-for", clientAddress);
  let answer: Response;
  try {
    answer = await fetch(`${env.SUPABASE_URL}/functions/v1${path}`, {
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

function leadTo(location: string, { cookies }: RequestScope): Response {
  const headers = new Headers({ ...commonHeaders, location, "cache-control": "no-store" });
  for (const line of cookies.headers()) headers.append("set-cookie", line);
  return new Response(null, { status: 303, headers });
}
