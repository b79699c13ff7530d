// Owns the text of an API failure in the page's language, for pages and islands, from its codes alone. The API's own
// sentence is for developers and is not shown. Pure.

export interface RefusalDetail {
  /** The field; "" for the call as a whole. */
  path: string;
  message: string;
  code?: string;
  params?: Record<string, string>;
}

export interface Refused {
  code: string;
  message: string;
  details: RefusalDetail[];
}

/** True when a row was not saved because somebody else had saved it since it was read. */
export const isChangedMeanwhile = ({ details }: Pick<Refused, "details">) =>
  details.some(({ path, code }) => path === "version" && code === "changedMeanwhile");

type T = (key: string, values: Record<string, unknown>) => string;

const translate = (t: T, key: string, values: Record<string, unknown> = {}) =>
  t(key, { ...values, defaultValue: "" });

/** Why one field is refused. The API itself words the reasons of sources and models, in the requested language. */
export function refusalWords({ code, message, params = {} }: RefusalDetail, t: T): string {
  if (code === undefined) return translate(t, "errors:refusals.invalid");
  // A number is written as the language writes it: 20,000 or 20 000.
  const limit = Number(params.limit ?? Number.NaN);
  const values = Number.isFinite(limit) ? { ...params, limit } : params;
  return translate(t, `errors:refusals.${code}`, values) || message;
}

/** Why something stored failed; "" for a code without words. */
export const reasonWords = ({ code }: { code: string }, t: T): string =>
  translate(t, `errors:refusals.${code}`) || translate(t, `errors:${code}.description`);

interface Place {
  supportEmail: string;
  language: string;
  /** False where no field is marked, as in a toast: the description then gives the reasons themselves. */
  isMarked?: boolean;
}

/**
 * Title and description of a failure. A code without a text of its own gets that of UNEXPECTED_ERROR, with the support
 * address.
 */
export function failureWords(
  { code, message, details }: Refused,
  t: T,
  { supportEmail, language, isMarked = true }: Place,
): { title: string; description: string } {
  const known = translate(t, `errors:${code}.title`) === "" ? "UNEXPECTED_ERROR" : code;
  const title = translate(t, `errors:${known}.title`);
  // A used-up link is not a field that the reader could correct, neither is one that was cut off, nor a version.
  if (details.some(({ path, code: reason }) => path === "code" || reason === "codeSpent"))
    return {
      title: translate(t, "errors:spent.title"),
      description: translate(t, "errors:refusals.codeSpent"),
    };
  const whole = details.find(
    ({ path, code: reason }) => (path === "" && reason !== undefined) || reason === "changedMeanwhile",
  );
  if (whole) return { title, description: refusalWords(whole, t) };
  const reasons = details.flatMap((detail) => (detail.code === undefined ? [] : refusalWords(detail, t)));
  if (!isMarked && reasons.length > 0) return { title, description: [...new Set(reasons)].join(" ") };
  // The server's message is in English.
  const general = translate(t, "errors:UNEXPECTED_ERROR.fallback");
  const values = { supportEmail, message: language === "en" && message ? message : general };
  // Without a field there is nothing marked that could be corrected.
  const which = known === "VALIDATION_FAILED" && details.length === 0 ? "unmarked" : "description";
  return { title, description: translate(t, `errors:${known}.${which}`, values) };
}
