// Generates the auth server's mails, in Go's html/template, from locales/*/mails.json. A hosted project sends them
// without Parley, so they must be self-contained. Pure.
import type { Language } from "../../../locales/language.ts";
import type { Words } from "../../../locales/translate.ts";

/** Supabase's name of the template, the key of its texts, and the target of its button. */
const mails = [
  {
    name: "confirmation",
    key: "confirmation",
    link: "{{ .SiteURL }}/confirm?code={{ .TokenHash }}&amp;email={{ .Email }}",
  },
  {
    name: "recovery",
    key: "recovery",
    link: "{{ .SiteURL }}/forgot-password?code={{ .TokenHash }}&amp;email={{ .Email }}",
  },
  {
    // Parley changes addresses itself. This one is for programs that call the auth server of a hosted project.
    name: "email_change",
    key: "emailChange",
    link: "{{ .ConfirmationURL }}",
  },
  { name: "reauthentication", key: "reauthentication", link: null },
] as const;

const values: Record<string, string> = {
  email: "{{ .Email }}",
  newEmail: "{{ .NewEmail }}",
  token: "<strong>{{ .Token }}</strong>",
};
const button =
  "display:inline-block;padding:10px 18px;border-radius:8px;background:#18181b;color:#ffffff;text-decoration:none";

export type Template = { name: string; subject: string; html: string };

/** @param languages the first is the default for users without a language */
export function mailTemplates(languages: readonly Language[]): Template[] {
  const [fallback, ...others] = languages;
  if (!fallback) throw new Error("No language is declared");
  /** One text per language, selected by the account's language. */
  const chooseText = (text: (language: Language) => string, between = "") =>
    [
      ...others.map(
        (one, at) => `{{ ${at > 0 ? "else if" : "if"} eq .Data.locale "${one.code}" }}${between}${text(one)}`,
      ),
      others.length > 0 ? `{{ else }}${between}${text(fallback)}{{ end }}` : text(fallback),
    ].join("");
  return mails.map(({ name, key, link }) => {
    const word = (language: Language, part: string) =>
      wordOf(language, key, part) ?? wordOf(fallback, key, part);
    const subject = chooseText((language) => plain(word(language, "subject") ?? ""));
    const body = (language: Language) => {
      const [text, action, note] = ["text", "action", "note"].map((part) => word(language, part));
      return [
        `<h1 style="margin:0 0 16px;font-size:20px">${plain(word(language, "subject") ?? "")}</h1>`,
        `<p style="margin:0 0 16px">${fillIn(text ?? "")}</p>`,
        ...(link && action
          ? [`<p style="margin:24px 0"><a href="${link}" style="${button}">${fillIn(action)}</a></p>`]
          : []),
        ...(note ? [`<p style="margin:24px 0 0;color:#71717a;font-size:14px">${fillIn(note)}</p>`] : []),
        "",
      ].join("\n");
    };
    const html = `<!doctype html>
<html lang="${chooseText(({ code }) => code)}">
<head>
<meta charset="utf-8">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px;background:#ffffff;color:#18181b;font:16px/1.5 -apple-system,Segoe UI,Helvetica,Arial,sans-serif">
<div style="max-width:480px;margin:0 auto">
${chooseText(body, "\n")}
</div>
</body>
</html>
`;
    return { name, subject, html };
  });
}

/**
 * supabase/config.toml with the subjects, which a hosted project reads from there. @throws Error when a template has no
 * entry
 */
export function withSubjects(config: string, templates: readonly Template[]): string {
  return templates.reduce((text, { name, subject }) => {
    const line = new RegExp(`(\\[auth\\.email\\.template\\.${name}\\]\nsubject = )'.*'`);
    if (!line.test(text)) throw new Error(`supabase/config.toml has no subject for the template ${name}`);
    return text.replace(line, (_all, start: string) => `${start}'${subject}'`);
  }, config);
}

function wordOf({ messages }: Language, key: string, part: string): string | undefined {
  const mail = messages.mails[key];
  const word = typeof mail === "object" ? (mail as Words)[part] : undefined;
  return typeof word === "string" ? word : undefined;
}

/**
 * A subject appears in a title, in a heading and between TOML's quotes. @throws Error when it contains a character that
 * these do not allow
 */
function plain(subject: string): string {
  if (/[<>&'{}\n]/.test(subject)) throw new Error(`A mail's subject has none of < > & ' { }: ${subject}`);
  return subject;
}

/** Escapes the text as HTML, with Go's instructions for its placeholders. @throws Error for an unknown placeholder */
function fillIn(words: string): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replace(/\{\{(\w*)\}\}/g, (_gap, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A mail of the auth server has no {{${name}}}`);
    return value;
  });
}
