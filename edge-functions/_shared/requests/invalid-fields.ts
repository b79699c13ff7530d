// Owns the mapping of validation issues to error details: each field's path and reason. The only module that reads zod's issues.
import type { z } from "@hono/zod-openapi";
import type { ErrorDetail } from "./errors.ts";
import { isRefusalCode, type RefusalCode, refusal } from "./refusals.ts";

type Issue = z.core.$ZodIssue;

/** Second argument of a schema's refine(), for a refusal with its own code. */
export const refuseAs = (code: RefusalCode, ...path: string[]) => ({
  message: refusal(code).message,
  params: { code },
  ...(path.length > 0 && { path }),
});

/** A body of 1 MiB may hold 75,000 unknown fields, whose details would be ten times as long as it. */
const mostDetails = 100;

/**
 * The first of what is wrong.
 * @param value the validated input: the issues do not say whether a field was present
 */
export function invalidFields(issues: readonly Issue[], value: unknown): ErrorDetail[] {
  const details = issues.slice(0, mostDetails).flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys
        .slice(0, mostDetails)
        .map((key) => ({ path: [...issue.path, key].join("."), ...refusal("unknown") }));
    const { code, params } = reasonOf(issue, value);
    return [{ path: issue.path.join("."), message: issue.message, code, params }];
  });
  return details.slice(0, mostDetails);
}

const sizes = {
  too_small: { text: "tooShort", list: "tooFew", number: "tooSmall" },
  too_big: { text: "tooLong", list: "tooMany", number: "tooBig" },
} as const;

const byFormat: Partial<Record<string, RefusalCode>> = {
  email: "email",
  url: "url",
  date: "date",
  datetime: "date",
};

function reasonOf(issue: Issue, value: unknown) {
  const isAbsent = valueAt(value, issue.path) == null;
  switch (issue.code) {
    case "invalid_type":
      if (isAbsent) return refusal("required");
      if (issue.expected === "int") return refusal("wholeNumber");
      return issue.expected === "number" ? refusal("number") : refusal("type", { expected: issue.expected });
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
      return refusal(byFormat[issue.format] ?? "pattern");
    case "invalid_value":
      return refusal(isAbsent ? "required" : "option");
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
