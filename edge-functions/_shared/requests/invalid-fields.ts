// Owns what the validator's issues are to a client: the path of each field, and why it is refused. The one place that reads zod's issues.
import type { z } from "@hono/zod-openapi";
import type { ErrorDetail } from "./errors.ts";
import { isRefusalCode, type RefusalCode, refusal } from "./refusals.ts";

type Issue = z.core.$ZodIssue;

/** The second argument of a schema's refine(): its refusal under the code of its own. */
export const refusedAs = (code: RefusalCode, ...path: string[]) => ({
  message: refusal(code).message,
  params: { code },
  ...(path.length > 0 && { path }),
});

/** @param value what was validated: whether a field was there at all, the issues do not say */
export function invalidFields(issues: readonly Issue[], value: unknown): ErrorDetail[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: [...issue.path, key].join("."), ...refusal("unknown") }));
    const { code, params } = reasonOf(issue, value);
    return [{ path: issue.path.join("."), message: issue.message, code, params }];
  });
}

const sizes = {
  too_small: { text: "tooShort", list: "tooFew", number: "tooSmall" },
  too_big: { text: "tooLong", list: "tooMany", number: "tooBig" },
} as const;

function reasonOf(issue: Issue, value: unknown) {
  switch (issue.code) {
    case "invalid_type":
      return valueAt(value, issue.path) == null
        ? refusal("required")
        : refusal("type", { expected: issue.expected });
    case "too_small":
    case "too_big": {
      const limit = String(issue.code === "too_small" ? issue.minimum : issue.maximum);
      if (issue.code === "too_small" && issue.origin === "string" && limit === "1")
        return refusal("required");
      const kinds = sizes[issue.code];
      if (issue.origin === "string") return refusal(kinds.text, { limit });
      return refusal(/^(array|set|map|file)$/.test(issue.origin) ? kinds.list : kinds.number, { limit });
    }
    case "invalid_format":
      return refusal(issue.format === "email" ? "email" : issue.format === "url" ? "url" : "pattern");
    case "invalid_value":
      return refusal("option");
    case "custom":
      return refusal(isRefusalCode(issue.params?.code) ? issue.params.code : "invalid");
    default:
      return refusal("invalid");
  }
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}
