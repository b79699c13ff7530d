// Owns the subset of Go's html/template that the mails in supabase/templates/ use, so the same files serve hosted
// Supabase: {{ .Name }}, {{ .Data.name }} and {{ if eq .Data.name "value" }} … {{ else if eq … }} … {{ else }} … {{ end
// }}. Pure.

export interface MailValues {
  SiteURL: string;
  Token: string;
  TokenHash: string;
  Email: string;
  NewEmail: string;
  /** The auth server's own link for a code. Only hosted Supabase has one. */
  ConfirmationURL?: string;
  /** The user's metadata from sign-up: locale and name. */
  Data: Record<string, unknown>;
}

export interface Mail {
  subject: string;
  html: string;
  text: string;
}

/**
 * Renders one mail; the subject is the template's <title>. Values are escaped by context, as in Go: percent-encoded in
 * the query of an href, as HTML elsewhere.
 * @throws Error on an instruction outside the subset, so a half-rendered mail is never sent.
 */
export function renderMail(template: string, values: MailValues): Mail {
  const chosen = template.replace(
    /\{\{ *if ([^}]*?) *\}\}([\s\S]*?)\{\{ *end *\}\}/g,
    (_all, first: string, rest: string) => choose(first, rest, values.Data),
  );
  const linked = chosen.replace(/href="([^"?]*)\?([^"]*)"/g, (_all, base: string, query: string) => {
    const filled = fill(query, values, encodeURIComponent);
    return `href="${base}?${filled}"`;
  });
  const html = fill(linked, values, escapeHtml);
  if (html.includes("{{")) throw new Error("The mail template uses an instruction that is not supported");
  return {
    subject: unescapeHtml(/<title>([\s\S]*?)<\/title>/.exec(html)?.[1]?.trim() ?? ""),
    html,
    text: textOf(html),
  };
}

/** The branch of the first condition that holds; empty when none does. */
function choose(first: string, rest: string, data: MailValues["Data"]): string {
  const [yes = "", ...others] = rest.split(/\{\{ *else *(?:if ([^}]*?))? *\}\}/);
  const branches = [{ holds: holds(first, data), text: yes }];
  for (let at = 0; at < others.length; at += 2)
    branches.push({ holds: holds(others[at], data), text: others[at + 1] ?? "" });
  return branches.find((branch) => branch.holds)?.text ?? "";
}

/** @param condition undefined for an else, which always holds */
function holds(condition: string | undefined, data: MailValues["Data"]): boolean {
  if (condition === undefined) return true;
  const [, name = "", wanted] = /^eq \.Data\.(\w+) "([^"]*)"$/.exec(condition) ?? [];
  if (wanted === undefined)
    throw new Error(`The mail template has a condition that is not supported: ${condition}`);
  return data[name] === wanted;
}

function fill(text: string, values: MailValues, encode: (value: string) => string): string {
  return text.replace(/\{\{ *\.([\w.]+) *\}\}/g, (all, path: string) => {
    const value = lookUp(path, values);
    return typeof value === "string" ? encode(value) : value === undefined ? "" : all;
  });
}

function lookUp(path: string, values: MailValues): unknown {
  const [first, second] = path.split(".");
  switch (first) {
    case "SiteURL":
    case "Token":
    case "TokenHash":
    case "Email":
    case "NewEmail":
    case "ConfirmationURL":
      return values[first];
    case "Data":
      return second ? values.Data[second] : undefined;
    default:
      throw new Error(`The mail template names an unknown value: .${path}`);
  }
}

function textOf(html: string): string {
  return unescapeHtml(
    html
      .replace(/<head>[\s\S]*?<\/head>/, "")
      .replace(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, "$2\n$1")
      .replace(/<\/(p|h1|div)>/g, "\n\n")
      .replace(/<[^>]+>/g, ""),
  )
    .replace(/[ \t]+/g, " ")
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replace(/&amp;/g, "&");
}
