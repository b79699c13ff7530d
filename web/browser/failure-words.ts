// Owns the words for a refusal by the API, in the page's language, for pages and islands alike: by its codes alone. What the API says in
// its sentence is for developers and is not read. Pure.

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

/** Whether a row stayed as it was because somebody had saved it since it was read. */
export const isChangedMeanwhile = ({ details }: Pick<Refused, "details">) =>
  details.some(({ path, code }) => path === "version" && code === "changedMeanwhile");

type T = (key: string, values: Record<string, unknown>) => string;

const said = (t: T, key: string, values: Record<string, unknown> = {}) =>
  t(key, { ...values, defaultValue: "" });

/** Why one field is refused. Reasons that come from sources and models are the API's to say, in the language that it was asked for. */
export function refusalWords({ code, message, params }: RefusalDetail, t: T): string {
  if (code === undefined) return said(t, "errors:refusals.invalid");
  return said(t, `errors:refusals.${code}`, params) || message;
}

/** Title and description of a failure. A code without words here gets those of UNEXPECTED_ERROR, with the way to support. */
export function failureWords(
  { code, message, details }: Refused,
  t: T,
  { supportEmail, language }: { supportEmail: string; language: string },
): { title: string; description: string } {
  const known = said(t, `errors:${code}.title`) === "" ? "UNEXPECTED_ERROR" : code;
  const title = said(t, `errors:${known}.title`);
  // A link that is spent is no field that could be corrected, and neither is a version.
  const whole = details.find(
    ({ path, code: reason }) =>
      (path === "" && reason !== undefined) || reason === "codeSpent" || reason === "changedMeanwhile",
  );
  if (whole) return { title, description: refusalWords(whole, t) };
  // What the server says is English.
  const general = said(t, "errors:UNEXPECTED_ERROR.fallback");
  const values = { supportEmail, message: language === "en" && message ? message : general };
  return { title, description: said(t, `errors:${known}.description`, values) };
}
