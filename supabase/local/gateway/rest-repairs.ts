// Owns what /rest/v1 stores and answers where lite differs from PostgREST: a JSON value for a text, the HTTP status and the message of a
// database error. Does not change a statement.
import { inspect } from "node:util";
import type { PostgresConnection } from "@supabase/lite/postgres";
import { lineOf, log } from "../../../edge-functions/_shared/operation/log.ts";

/**
 * Serializes what a body holds for a column or parameter of type text, as PostgREST's json_to_recordset does: an object or a list becomes
 * its JSON. The driver by itself would store "[object Object]". For the driver's option `types`.
 */
export const textAsPostgrest = {
  to: 25,
  from: [25],
  serialize: (value: unknown) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : String(value),
  parse: (value: string) => value,
};

/** Sends a text for a flag as it is: the driver would send false for each that is not `true`. For the driver's option `types`. */
export const flagAsPostgrest = {
  to: 16,
  from: [16],
  serialize: String,
  parse: (value: string) => value === "t",
};

/** Bytes in a body are text in Postgres's form; lite itself has none. The driver would send the text's own bytes. */
export const bytesAsPostgrest = {
  to: 17,
  from: [17],
  serialize: String,
  parse: (value: string) => value,
};

/** Reads a time as JSON has it; lite would pass Postgres's text on. @param to the type's OID */
export const timeAsPostgrest = (to: number) => ({
  to,
  from: [to],
  serialize: (value: unknown) => value,
  parse: (value: string) =>
    value.replace(/^(\d+-\d\d-\d\d) /, "$1T").replace(/(:\d\d(?:\.\d+)?[+-]\d\d)(?= BC$|$)/, "$1:00"),
});

/**
 * The table of docs.postgrest.org/en/v14/references/errors.html, most specific code first. Where PostgREST answers 500
 * for a busy database or an input that is too complex, this answers 503 and 400.
 */
const statuses: [prefix: string, status: number][] = [
  ["08", 503],
  ["09", 500],
  ["0L", 403],
  ["0P", 403],
  ["23503", 409],
  ["23505", 409],
  ["25006", 405],
  ["25", 500],
  ["28", 403],
  ["2D", 500],
  ["38", 500],
  ["39", 500],
  ["3B", 500],
  ["40", 503],
  ["53", 503],
  ["54", 400],
  ["55", 503],
  ["57", 503],
  ["58", 500],
  ["F0", 500],
  ["HV", 500],
  ["P0001", 400],
  ["P0", 500],
  ["XX", 500],
];

/** Codes that lite answers as PostgREST does. */
const rightInLite = /^(?:PT|PGRST$|42|22|21|25006$|2350[235]$)/;

/** Messages for failures that are not the client's fault. */
const wordsOf: Record<number, string> = {
  500: "The request failed inside the database.",
  503: "The database is busy; try again in a moment.",
};

interface DatabaseError {
  code: string;
  message: string;
  detail?: string | null;
  hint?: string | null;
  /** The statement, which the driver adds. */
  query?: string;
}

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && "code" in error && typeof error.code === "string";

/** The status for an SQLSTATE, or for the driver's code of a lost connection. */
export function statusFor(code: string): number {
  if (!/^[0-9A-Z]{5}$/.test(code)) return 503;
  return statuses.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 400;
}

/**
 * Makes lite answer every database error with PostgREST's status, and hides Postgres's message when the fault is not
 * the client's. lite takes such a response from an error with the code PGRST, as PostgREST does from `raise sqlstate
 * 'PGRST'`.
 */
export function answerErrorsAsPostgrest(connection: Pick<PostgresConnection, "normalizeDbError">): void {
  const normalize = connection.normalizeDbError.bind(connection);
  connection.normalizeDbError = (thrown) => {
    const error = normalize(thrown);
    if (error instanceof RangeError) return answering(400, tooDeep);
    if (error instanceof TypeError) return answering(400, unfit);
    if (!isDatabaseError(error)) return error;
    if (isTooComplex(error)) return answering(400, tooComplex);
    if (rightInLite.test(error.code)) return inOneLine(error, error.code);
    const status = statusFor(error.code);
    const words = wordsOf[status];
    if (words) log("error", error.message, { process: "gateway", code: error.code });
    const { code, message, detail = null, hint = null } = error;
    return answering(
      status,
      words ? { code, message: words, details: null, hint: null } : { code, message, details: detail, hint },
    );
  };
}

/** A body of thousands of levels exhausted the call stack. */
const tooDeep = { code: "54001", message: "The body is nested too deeply.", details: null, hint: null };

/** What Postgres says of every other regular expression that needs too much memory. */
const tooComplex = {
  code: "2201B",
  message: "invalid regular expression: regular expression is too complex",
  details: null,
  hint: null,
};

/**
 * True for a filter's regular expression of which Postgres wants to allocate some GiB at once: it calls that an internal error. Of any other
 * statement the same message can mean damaged data, and sizes of that are far larger.
 */
const isTooComplex = ({ code, message, query = "" }: DatabaseError): boolean =>
  code === "XX000" && /^invalid memory alloc request size \d{10,12}$/.test(message) && / ~\*? /.test(query);

/** A value that the driver cannot serialize, such as a number for an array. */
const unfit = {
  code: "22P02",
  message: "A value does not fit the type of its column or parameter.",
  details: null,
  hint: null,
};

export const answering = (
  status: number,
  told: { code: string; message: string; details: string | null; hint: string | null },
) =>
  inOneLine(
    {
      code: "PGRST",
      message: JSON.stringify(told),
      detail: JSON.stringify({ status, headers: {} }),
    },
    told.code,
  );

/** lite logs every error that it answers, and Postgres's message quotes values of the rejected row. */
function inOneLine<E extends object>(error: E, code: string): E {
  const line = lineOf("info", "a statement was refused", { process: "gateway", code });
  return Object.defineProperty(error, inspect.custom, { value: () => line });
}

/** Keeps the message of lite's own failures in the log, out of the response. */
export async function withoutInternals(response: Response): Promise<Response> {
  if (response.status !== 500) return response;
  const told: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const isOwnFault = typeof told !== "object" || told === null || !("code" in told) || told.code === "SUP";
  if (!isOwnFault) return response;
  return Response.json({ code: "SUP", message: wordsOf[500], details: null, hint: null }, { status: 500 });
}
