import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { languages } from "../../locales/languages.ts";
import { type MailValues, renderMail } from "../../supabase/local/gateway/mail-template.ts";
import { mailTemplates, withSubjects } from "../../supabase/local/languages/mail-templates.ts";
import { say } from "../support/words.ts";

const folder = fileURLToPath(new URL("../../supabase/templates", import.meta.url));
const templates = readdirSync(folder);
const config = readFileSync(join(folder, "../config.toml"), "utf8");
const values = (locale: string, more: Partial<MailValues> = {}): MailValues => ({
  SiteURL: "https://parley.test",
  Token: "0123456789",
  TokenHash: "a1b2",
  Email: "zoë+a&b@x.test",
  NewEmail: "new@x.test",
  ConfirmationURL: "https://auth.parley.test/verify",
  Data: { locale, name: "<b>Zoë</b>" },
  ...more,
});

describe("the mails", () => {
  it("are what npm run languages writes", () => {
    const written = mailTemplates(languages);
    expect(written.map(({ name }) => `${name}.html`).sort()).toEqual([...templates].sort());
    for (const { name, html } of written)
      expect(readFileSync(join(folder, `${name}.html`), "utf8")).toBe(html);
    expect(withSubjects(config, written)).toBe(config);
  });

  it.each(templates)("%s says it in every language", (name) => {
    const template = readFileSync(join(folder, name), "utf8");
    const mails = languages.map(({ code }) => ({ code, ...renderMail(template, values(code)) }));
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(languages.length);
    for (const mail of mails) {
      expect(mail.html).toContain(`lang="${mail.code}"`);
      expect(mail.subject).toMatch(/\S/);
      expect(mail.text + mail.subject).not.toMatch(/&#|&amp;/);
      expect(mail.html + mail.text + mail.subject).not.toMatch(/\{\{|undefined/);
    }
  });

  it.each(templates)("%s has the subject that config.toml gives hosted Supabase", (name) => {
    const title = /<title>(.*)<\/title>/.exec(readFileSync(join(folder, name), "utf8"))?.[1] ?? "";
    expect(config).toContain(`subject = '${title}'\ncontent_path = "./supabase/templates/${name}"`);
  });

  it("speaks English to who has chosen nothing", () => {
    const template = readFileSync(join(folder, "confirmation.html"), "utf8");
    expect(renderMail(template, values("en", { Data: {} })).subject).toBe(say("mails:confirmation.subject"));
  });

  it("puts whole, encoded addresses into links", () => {
    const template = readFileSync(join(folder, "confirmation.html"), "utf8");
    const { text } = renderMail(template, values("en"));
    const link = new URL(/https:\S+/.exec(text)?.[0] ?? "");
    expect(link.origin + link.pathname).toBe("https://parley.test/confirm");
    expect(link.searchParams.get("code")).toBe("a1b2");
    expect(link.searchParams.get("email")).toBe("zoë+a&b@x.test");
  });
});

describe("renderMail", () => {
  it("takes the first condition that holds, else what is left", () => {
    const template =
      '{{ if eq .Data.locale "fr" }}deux{{ else if eq .Data.locale "es" }}dos {{ .Token }}{{ else }}two{{ end }}.';
    const said = ["fr", "es", "en"].map((locale) => renderMail(template, values(locale)).text);
    expect(said).toEqual(["deux.", "dos 0123456789.", "two."]);
  });

  it("escapes what a person chose", () => {
    const { html, text } = renderMail("<p>{{ .Data.name }}</p>", values("en"));
    expect(html).not.toContain("<b>");
    expect(text).toBe("<b>Zoë</b>");
  });

  it("refuses what it does not understand instead of sending it", () => {
    expect(() => renderMail("{{ range .Data }}x{{ end }}", values("en"))).toThrow(/not supported/);
    const odd = '{{ if eq .Data.locale "fr" }}x{{ else if .Token }}y{{ end }}';
    expect(() => renderMail(odd, values("en"))).toThrow(/not supported/);
    expect(() => renderMail("{{ .Sitename }}", values("en"))).toThrow(/unknown value/);
  });
});
