// Calls /v1 on our own origin from an island. The web server adds the session; no token is ever here.

/** A refusal by the API; branch on `code` alone. `errors:CODE` holds its words. */
export class CallFailure extends Error {
  override name = "CallFailure";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string,
  ) {
    super(message);
  }
}

export interface Call {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON; FormData goes as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The raw answer, for streams. Throws CallFailure on anything but 2xx. */
export async function openApi(
  path: string,
  { method = "GET", body, headers, signal }: Call = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  const answer = await fetch(path, {
    method,
    signal,
    headers: { ...(body === undefined || isForm ? {} : { "content-type": "application/json" }), ...headers },
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
  });
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  throw new CallFailure(
    answer.status,
    typeof problem?.code === "string" ? problem.code : "UNEXPECTED_ERROR",
    typeof problem?.message === "string" ? problem.message : answer.statusText,
    typeof problem?.requestId === "string" ? problem.requestId : (answer.headers.get("x-request-id") ?? ""),
  );
}

/** JSON of an answer; undefined for 204. Throws CallFailure. */
export async function callApi<Answer = undefined>(path: string, call: Call = {}): Promise<Answer> {
  const answer = await openApi(path, call);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}
