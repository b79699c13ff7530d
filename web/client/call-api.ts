// Calls /v1 on our own origin from an island. The web server adds the session; islands never hold a token.
import type { Toast } from "../render/rendered.ts";
import {
  addressOf,
  type BodyOf,
  type Get,
  type InputOf,
  type Method,
  type Once,
  type PathOf,
  type Send,
  versionHeader,
} from "./api-calls.ts";
import { EMBEDDER_HEADER } from "./embedder.ts";
import { failureWords, type RefusalDetail, type Refused, refusalWords } from "./failure-words.ts";
import { keepKey, mayHaveArrived, noteAnswer, takeKey } from "./repeat-keys.ts";

/** An error response of the API. Branch on `code` alone; `errors:CODE` has its text. */
export class CallFailure extends Error {
  override name = "CallFailure";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string,
    readonly details: RefusalDetail[] = [],
    /** The wait that the API asks for. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** True for a call that got no answer at all: fetch failed, or the upload's connection broke. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof CallFailure) || error.status === 0;

/** @param problem the response's JSON, if it has any */
export function failureOf(
  status: number,
  problem: Record<string, unknown> | null,
  header: (name: string) => string | null,
): CallFailure {
  const text = (name: string, otherwise: string) =>
    typeof problem?.[name] === "string" ? String(problem[name]) : otherwise;
  const details = Array.isArray(problem?.details) ? (problem.details as RefusalDetail[]) : [];
  return new CallFailure(
    status,
    // A proxy's own page, while the service behind it does not respond.
    text("code", status >= 502 && status <= 504 ? "UNAVAILABLE" : "UNEXPECTED_ERROR"),
    text("message", ""),
    text("requestId", header("x-request-id") ?? ""),
    details,
    Number(header("retry-after")) || undefined,
  );
}

let visitorToken: string | null = null;

/** Sends the visitor's token with every call where cookies are blocked, as in a frame on another site. */
export function callAsVisitor(token: string | null): void {
  visitorToken = token;
}

let site: string | null = null;

/** Names the site around the widget's frame with every call. */
export function callFromSite(around: string | null): void {
  site = around;
}

/** The headers of every call: the page's language, which may differ from the browser's, and its person. */
export function pageHeaders(headers?: HeadersInit): Headers {
  const sent = new Headers(headers);
  const { lang, dataset } = document.documentElement;
  if (lang) sent.set("accept-language", lang);
  // Refused as NOT_AUTHENTICATED once their session has ended: a public agent would answer them as a stranger.
  if (dataset.person && !visitorToken) sent.set("x-person", dataset.person);
  return sent;
}

/** The raw response, for streams. Throws CallFailure on any status but 2xx. */
export async function openApi<M extends Method, Path extends PathOf<M>>(
  method: M,
  path: Path,
  input: InputOf<M, Path> | undefined,
  { body, headers, signal }: { body?: BodyOf<M, Path>; headers?: HeadersInit; signal?: AbortSignal } = {},
): Promise<Response> {
  const sent = pageHeaders(headers);
  if (body !== undefined) sent.set("content-type", "application/json");
  if (visitorToken) sent.set("x-visitor-token", visitorToken);
  if (site) sent.set(EMBEDDER_HEADER, site);
  const answer = await fetch(addressOf(path, input), {
    method,
    signal,
    headers: sent,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  throw failureOf(answer.status, problem, (name) => answer.headers.get(name));
}

const jsonOf = async (answer: Response) => (answer.status === 204 ? undefined : await answer.json());

/** Throws CallFailure. */
export const getApi: Get = async (path, ...[input]) => jsonOf(await openApi("GET", path, input));

/** Throws CallFailure. */
export const sendApi: Send = async (method, path, input, ...[body, version]) =>
  jsonOf(await openApi(method, path, input, { body, headers: versionHeader(version) }));

/**
 * A POST that creates something. Sent again unchanged after it got no answer, it has the same Idempotency-Key, so that
 * the API creates nothing twice. Throws CallFailure.
 */
export const sendOnce: Once = async (path, input, ...[body]) => {
  const text = JSON.stringify([path, input, body]);
  const key = takeKey(text);
  try {
    const answer = await openApi("POST", path, input, { body, headers: { "idempotency-key": key } });
    noteAnswer(answer.status);
    return await jsonOf(answer);
  } catch (error) {
    const status = error instanceof CallFailure ? error.status : 0;
    noteAnswer(status);
    if (mayHaveArrived(status)) keepKey(text, key);
    throw error;
  }
};

/**
 * The text for a failed call: the API's refusal, or that the API could not be reached. For islands with the namespace
 * `errors`.
 */
export function wordsOf(
  error: unknown,
  t: (key: string, values?: Record<string, unknown>) => string,
): { title: string; description: string } {
  const isRefused = typeof error === "object" && error !== null && "details" in error;
  const failure = isRefused ? (error as Refused) : { code: "UNAVAILABLE", message: "", details: [] };
  const { lang: language, dataset } = document.documentElement;
  return failureWords(failure, t, { supportEmail: dataset.support ?? "", language, isMarked: false });
}

/** The toast for a failed call of an island with the namespace `errors`. */
export function failureToast(error: unknown, t: Parameters<typeof wordsOf>[1]): Toast {
  const leadsToLogin = error instanceof CallFailure && error.code === "NOT_AUTHENTICATED";
  // Shown for longer: the reader has to read what to do, and to reach the link.
  return { ...wordsOf(error, t), variant: "destructive", leadsToLogin, isLong: leadsToLogin };
}

/**
 * The sentence of each refused field, for a form that shows them; undefined when the failure has another reason, which
 * wordsOf() gives.
 * @param fields the fields of the form, by their paths
 */
export function refusedFields<Field extends string>(
  error: unknown,
  t: (key: string, values?: Record<string, unknown>) => string,
  fields: readonly Field[],
): Partial<Record<Field, string>> | undefined {
  if (!(error instanceof CallFailure) || error.details.length === 0) return undefined;
  const refused = error.details.map((detail) => ({
    detail,
    field: fields.find((one) => one === detail.path),
  }));
  const errors: Partial<Record<Field, string>> = {};
  for (const { detail, field } of refused) {
    if (field === undefined) return undefined;
    errors[field] = refusalWords(detail, t);
  }
  return errors;
}
