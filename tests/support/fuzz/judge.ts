// Judges an API answer, whatever the request: the contract's errors, the description's shapes, nothing of a team that the caller cannot
// see.
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { codesOf, type ErrorStatus } from "../../../edge-functions/_shared/requests/errors.ts";
import type { Description } from "../../../edge-functions/v1/openapi.ts";
import type { Described } from "./requests.ts";
import type { Reply } from "./sending.ts";

/** Words that occur only in our internals. */
const insides =
  /node_modules|file:\/\/\/|\.ts:\d|\bat \w+ \(|postgres|syntax error|pg_\w|relation "|column "|violates|\$\d\b/i;

/** Paths of another protocol, whose errors have its shape. */
const openAi = /^\/v1\/streams\/openai\//;

export class Judge {
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(description: Description) {
    addFormats(this.#ajv);
    this.#ajv.addSchema({ ...description, $id: "description" });
  }

  /** What is wrong with an answer, or undefined. @param sent parts of the request that the answer may repeat */
  complaint({ path, method, operation }: Described, reply: Reply, sent: string): string | undefined {
    const { status, headers, text } = reply;
    // This path fails on purpose, for those who may call it.
    if (status >= 500 && path !== "/v1/health/debug-sentry") return `${status} ${text.slice(0, 300)}`;
    if (!headers["x-request-id"]) return `no X-Request-Id with ${status}`;
    if (status >= 400) return this.#error(path, reply, sent);
    const described = operation.responses[String(status)];
    if (!described || "$ref" in described) return `${status} is not described`;
    if (status === 204) return text === "" ? undefined : "204 with a body";
    const type = String(headers["content-type"] ?? "").split(";")[0] ?? "";
    if (described.content && !(type in described.content))
      return `${status} as ${type}, which is not described`;
    if (type !== "application/json") return undefined;
    return this.#fits(
      `${pointer("paths", path, method, "responses", String(status))}/content/application~1json/schema`,
      text,
    );
  }

  #error(path: string, { status, headers, text }: Reply, sent: string): string | undefined {
    const body: unknown = parseJson(text);
    if (typeof body !== "object" || body === null) return `${status} is no object: ${text.slice(0, 200)}`;
    // An answer may repeat what was sent, to name a field; never our internals.
    if (insides.test(text) && !insides.test(sent))
      return `${status} shows our insides: ${text.slice(0, 300)}`;
    if (openAi.test(path))
      return "error" in body ? undefined : `${status} is no error of OpenAI: ${text.slice(0, 200)}`;
    if (path === "/v1/mcp" && "jsonrpc" in body) return undefined;
    const wrong = this.#fits("#/components/schemas/Error", text);
    if (wrong) return wrong;
    const { code, requestId } = body as { code: string; requestId: string };
    const codes: string[] = codesOf(status as ErrorStatus); // A status outside the catalogue has no codes.
    if (!codes.includes(code)) return `${status} with ${code}`;
    if (requestId !== headers["x-request-id"]) return "requestId is not X-Request-Id";
    if (status === 429 && !headers["retry-after"]) return "429 without Retry-After";
    if (status === 405 && !headers.allow) return "405 without Allow";
    return undefined;
  }

  #fits(at: string, text: string): string | undefined {
    let fits = this.#compiled.get(at);
    if (!fits) {
      const schema = this.#ajv.getSchema(`description${encodeURI(at)}`);
      if (!schema) return `${at} is nowhere in the description`;
      fits = schema as ValidateFunction; // Ours are never asynchronous.
      this.#compiled.set(at, fits);
    }
    const body = parseJson(text);
    if (body === undefined) return `no JSON: ${text.slice(0, 100)}`;
    return fits(body)
      ? undefined
      : `does not fit: ${this.#ajv.errorsText(fits.errors)} in ${text.slice(0, 200)}`;
  }
}

const pointer = (...parts: string[]) => `#/${parts.map((part) => part.replaceAll("/", "~1")).join("/")}`;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
