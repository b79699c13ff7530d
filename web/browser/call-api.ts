// Calls /v1 on our own origin from an island. The web server adds the session; no token is ever here.
import {
  addressOf,
  type BodyOf,
  type Get,
  type InputOf,
  type Method,
  type PathOf,
  type Send,
} from "./api-calls.ts";

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

let visitorToken: string | null = null;

/** Where cookies do not reach, as in a frame on another site, the visitor's token goes along with every call. */
export function callAsVisitor(token: string | null): void {
  visitorToken = token;
}

/** The raw answer, for streams. Throws CallFailure on anything but 2xx. */
export async function openApi<M extends Method, Path extends PathOf<M>>(
  method: M,
  path: Path,
  input: InputOf<M, Path> | undefined,
  { body, headers, signal }: { body?: BodyOf<M, Path>; headers?: HeadersInit; signal?: AbortSignal } = {},
): Promise<Response> {
  const sent = new Headers(headers);
  if (body !== undefined) sent.set("content-type", "application/json");
  if (visitorToken) sent.set("x-visitor-token", visitorToken);
  // The page's language, which its reader may have chosen over the browser's.
  const { lang } = document.documentElement;
  if (lang) sent.set("accept-language", lang);
  const answer = await fetch(addressOf(path, input), {
    method,
    signal,
    headers: sent,
    body: body === undefined ? undefined : JSON.stringify(body),
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

const jsonOf = async (answer: Response) => (answer.status === 204 ? undefined : await answer.json());

/** Throws CallFailure. */
export const getApi: Get = async (path, ...[input]) => jsonOf(await openApi("GET", path, input));

/** Throws CallFailure. */
export const sendApi: Send = async (method, path, input, ...[body]) =>
  jsonOf(await openApi(method, path, input, { body }));
