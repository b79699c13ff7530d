// Owns the error catalogue: every code a client can receive, its status and its default message. Must not know HTTP frameworks.
import errors from "../../../locales/en/errors.json" with { type: "json" };
import { sentenceOf } from "../text/sentences.ts";
import { isRefusalCode, type Refusal, type RefusalCode, refusal } from "./refusals.ts";

const catalogue = {
  VALIDATION_FAILED: [400, "A parameter or a field is not valid: see `details`."],
  NOT_AUTHENTICATED: [401, "Log in, or send a valid token."],
  USER_NOT_AUTHORIZED: [401, "The email or the password is wrong."],
  BUDGET_REACHED: [402, sentenceOf("budgetReached")],
  STORAGE_REACHED: [402, "The team stores as much as it may."],
  FORBIDDEN: [403, "You do not have the permission to do this."],
  USER_BANNED: [403, "This account is banned. Contact support."],
  USER_NOT_CONFIRMED: [403, "This account is not confirmed yet. Follow the link in the email that we sent."],
  USER_NOT_VERIFIED: [403, "This account is not verified. Check your email or contact support."],
  NOT_FOUND: [404, "This does not exist, or you have no access to it."],
  USER_NOT_EXISTS: [404, "There is no such account."],
  METHOD_NOT_ALLOWED: [405, "This path does not accept that method."],
  USER_EXISTS: [409, "There is an account with this email already. Log in instead."],
  CONFLICT: [409, "This conflicts with existing data."],
  CHANGED_MEANWHILE: [409, refusal("changedMeanwhile").message],
  PAYLOAD_TOO_LARGE: [413, "The request is too large."],
  UNSUPPORTED_MEDIA_TYPE: [415, "Send JSON, with the header Content-Type: application/json."],
  RATE_LIMITED: [429, sentenceOf("limitReached")],
  UNEXPECTED_ERROR: [500, errors.UNEXPECTED_ERROR.fallback],
  USER_NOT_CREATED: [500, "The account could not be created. Try again later or contact support."],
  UPSTREAM_FAILED: [502, "A service that this call needs did not answer as expected. Try again later."],
  UNAVAILABLE: [503, "The service is busy or starting. Try again in a moment."],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof catalogue;
export type ErrorStatus = (typeof catalogue)[ErrorCode][0];
/** `code` and `params` give the reason, for programs and for translation. The path "" means the whole call. */
export type ErrorDetail = { path: string; message: string; code?: string; params?: Record<string, string> };

export const errorCodes = Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]];

/** The codes that a response with this status can carry. */
export function codesOf(status: ErrorStatus): ErrorCode[] {
  return errorCodes.filter((code) => catalogue[code][0] === status);
}

/** The default message of a code. */
export function wordsOf(code: ErrorCode): string {
  return catalogue[code][1];
}

/** The one error that handlers throw. `message` is shown to people: it contains no SQL, no secret, no stack. */
export class ApiError extends Error {
  readonly status: ErrorStatus;

  /** `current` is the resource as it is now, when a change to an older version is refused. */
  readonly extra: { details?: ErrorDetail[]; retryAfterSeconds?: number; current?: object; cause?: unknown };

  /** @param why a sentence, or a refusal, which becomes the detail of the whole call */
  constructor(
    readonly code: ErrorCode,
    why?: string | Refusal,
    extra: ApiError["extra"] = {},
  ) {
    super((typeof why === "object" ? why.message : why) ?? catalogue[code][1], { cause: extra.cause });
    this.extra = typeof why === "object" ? { details: [{ path: "", ...why }], ...extra } : extra;
    this.name = "ApiError";
    this.status = catalogue[code][0];
  }
}

/** The refusal of one field's value. @param path the field, such as `settings.url` */
export function refuseField(
  path: string,
  code: RefusalCode,
  { params, cause }: { params?: Record<string, string>; cause?: unknown } = {},
): ApiError {
  return new ApiError("VALIDATION_FAILED", undefined, {
    details: [{ path, ...refusal(code, params) }],
    cause,
  });
}

const byPostgresCode: Record<string, [ErrorCode, (string | Refusal)?]> = {
  // Our own codes: PostgREST answers PTxyz with the status xyz.
  PT404: ["NOT_FOUND"],
  PT409: ["CONFLICT"],
  // Raised by a database of 1.0.0 until its migrations have run.
  P0404: ["NOT_FOUND"],
  P0409: ["CONFLICT"],
  "23502": ["VALIDATION_FAILED", "Something that is needed is missing."],
  "23503": ["VALIDATION_FAILED", refusal("missing")],
  "23505": ["CONFLICT", refusal("taken")],
  "23514": ["VALIDATION_FAILED"],
  "42501": ["FORBIDDEN"],
  "53100": ["UNAVAILABLE", refusal("diskFull")],
  "57014": ["UNAVAILABLE"],
  "55P03": ["UNAVAILABLE"],
  "40001": ["UNAVAILABLE"],
  "40P01": ["UNAVAILABLE"],
};
/** The field and the reason of a violated constraint that only Postgres can check, since two callers may write at once. */
const byConstraint: Partial<Record<string, [path: string, RefusalCode]>> = {
  teams_codename_key: ["codename", "slugTaken"],
  agents_address_key: ["appearance.address", "addressTaken"],
  roles_team_id_codename_key: ["codename", "roleTaken"],
  knowledges_check: ["chunking.overlapTokens", "overlapTooBig"],
  agent_tests_few: ["", "testsFull"],
  qa_entries_few: ["", "entriesFull"],
  knowledge_sources_few: ["", "sourcesFull"],
  roles_few: ["", "rowsFull"],
  api_keys_few: ["", "rowsFull"],
  apps_few: ["", "appsFull"],
};
/** Keys to what a call's path names, as all keys to a team are: it was there when the call began, and was deleted while the call waited. */
const keysToPath = new Set([
  "chats_team_id_agent_id_fkey",
  "messages_team_id_chat_id_fkey",
  "handovers_team_id_chat_id_fkey",
  "agent_tests_team_id_agent_id_fkey",
  "qa_entries_team_id_source_id_fkey",
]);
/** Postgres raises these with our own messages, which may be shown. */
const ownWords = new Set(["PT409", "P0409"]);
const connectionCodes = /^(08|53|57P|25P)|^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE)/;

/** Maps an error of Postgres or of its connection to an ApiError; undefined for any other error. */
export function fromPostgres(error: unknown): ApiError | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (error.code === "23503" && error.message.startsWith("update or delete")) {
    return new ApiError("CONFLICT", refusal("inUse"), { cause: error });
  }
  const constraint = "constraint_name" in error ? String(error.constraint_name) : "";
  if (error.code === "23503" && (/_team_id_fkey$/.test(constraint) || keysToPath.has(constraint))) {
    return new ApiError("NOT_FOUND", undefined, { cause: error });
  }
  if (error.code === "PT429") return rateLimited(waitIn(error), undefined, error);
  if (error.code === "PT402") return storageReached(storageIn(error), error);
  const known = byPostgresCode[error.code];
  const violated = byConstraint[constraint];
  if (known && violated) {
    const [path, code] = violated;
    return new ApiError(known[0], undefined, { details: [{ path, ...refusal(code) }], cause: error });
  }
  if (known) {
    const words = ownWords.has(error.code) ? ownRefusal(error) : known[1];
    return new ApiError(known[0], words, { cause: error });
  }
  // Class 22: a value that Postgres cannot store, such as a NUL in a text. Class 54: one that is too deep or too long.
  if (/^(22|54)/.test(error.code)) return new ApiError("VALIDATION_FAILED", undefined, { cause: error });
  if (connectionCodes.test(error.code)) return new ApiError("UNAVAILABLE", undefined, { cause: error });
  return undefined;
}

/** True when the disk of the database or of the file storage is full. */
export function isDiskFull(error: unknown): boolean {
  const known = error instanceof ApiError ? error : fromPostgres(error);
  return known?.extra.details?.some(({ code }) => code === "diskFull") ?? false;
}

/**
 * True for an error that tells that the call's transaction was not committed. After another, such as that of a connection which broke at the
 * commit, it may have been: what its rows name must stay.
 */
export function isRefusal(error: unknown): boolean {
  const known = error instanceof ApiError ? error : fromPostgres(error);
  return known !== undefined && known.code !== "UNAVAILABLE";
}

/** The error of a body above a limit. */
export const tooLarge = (maxBytes: number): ApiError =>
  new ApiError("PAYLOAD_TOO_LARGE", refusal("tooLarge", { limit: String(Math.floor(maxBytes / 2 ** 20)) }));

/** The seconds in the detail of a rate limit error; a minute when it names none. */
export function waitIn(error: Error): number {
  const detail = "detail" in error ? String(error.detail) : "";
  return Number(/\d+/.exec(detail)?.[0] ?? 60);
}

/** Waits from this length on are stated in minutes. */
const inMinutesSeconds = 120;

/** The error of a full limit. @param sentence of the catalogue of problems, which says for how long */
export function rateLimited(seconds: number, sentence = waitSentence(seconds), cause?: unknown): ApiError {
  const details = [{ path: "", message: sentence }];
  return new ApiError("RATE_LIMITED", sentence, { retryAfterSeconds: seconds, details, cause });
}

/** What a team stores and may store, in bytes. */
export type StorageUse = { used: number; limit: number };

/** The error of a team that may not store more. */
export const storageReached = (use: StorageUse, cause?: unknown): ApiError =>
  new ApiError("STORAGE_REACHED", refusal("storageReached", inMebibytes(use)), { cause });

/** The gaps of the sentences about a team's storage. */
export const inMebibytes = ({ used, limit }: StorageUse) => ({
  used: String(Math.floor(used / 2 ** 20)),
  limit: String(Math.floor(limit / 2 ** 20)),
});

/** private.refuse_storage() states them in its detail. */
export function storageIn(error: Error): StorageUse {
  const { used, limit }: StorageUse = JSON.parse("detail" in error ? String(error.detail) : "{}");
  return { used: Number(used), limit: Number(limit) };
}

const waitSentence = (seconds: number) =>
  seconds < inMinutesSeconds
    ? sentenceOf("limitAttempts", { seconds: String(seconds) })
    : sentenceOf("limitAttemptsMinutes", { minutes: String(Math.ceil(seconds / 60)) });

/** Our own exceptions carry the refusal's code in their hint. */
function ownRefusal(error: Error): Refusal | string {
  const code = "hint" in error ? error.hint : undefined;
  return isRefusalCode(code) ? refusal(code) : sentence(error.message);
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
