import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type MailValues, renderMail } from "../../supabase/local/gateway/mail-template.ts";

const folder = fileURLToPath(new URL("../../supabase/templates", import.meta.url));
const templates = readdirSync(folder);
const config = readFileSync(join(folder, "../config.toml"), "utf8");
const values = (locale: string, more: Partial<MailValues> = {}): MailValues => ({
  SiteURL: "https://parley.test",
  Token: "0123456789",
  TokenHash: "a1b2",
  Email: "zoë+a&b@x.test",
  NewEmail: "new@x.test",
  Data: { locale, name: "<b>Zoë</b>" },
  ...more,
});

describe("the mails", () => {
  it.each(templates)("%s says it in English and French", (name) => {
    const template = readFileSync(join(folder, name), "utf8");
    const english = renderMail(template, values("en"));
    const french = renderMail(template, values("fr"));
    expect(english.html).toContain('lang="en"');
    expect(french.html).toContain('lang="fr"');
    expect(french.subject).not.toBe(english.subject);
    for (const mail of [english, french]) {
      expect(mail.subject).toMatch(/\S/);
      expect(mail.text + mail.subject).not.toMatch(/&#|&amp;/);
      expect(mail.html + mail.text + mail.subject).not.toMatch(/\{\{|undefined/);
    }
  });

  it.each(templates)("%s has the subject that config.toml gives hosted Supabase", (name) => {
    const title = /<title>(.*)<\/title>/.exec(readFileSync(join(folder, name), "utf8"))?.[1] ?? "";
    expect(config).toContain(`subject = '${title}'`);
    expect(config).toContain(`./supabase/templates/${name}`);
  });

  it("speaks English to who has chosen nothing", () => {
    const template = readFileSync(join(folder, "confirmation.html"), "utf8");
    expect(renderMail(template, values("en", { Data: {} })).subject).toBe("Confirm your e-mail address");
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
  it("escapes what a person chose", () => {
    const { html, text } = renderMail("<p>{{ .Data.name }}</p>", values("en"));
    expect(html).not.toContain("<b>");
    expect(text).toBe("<b>Zoë</b>");
  });

  it("refuses what it does not understand instead of sending it", () => {
    expect(() => renderMail("{{ range .Data }}x{{ end }}", values("en"))).toThrow(/not supported/);
    expect(() => renderMail("{{ .Sitename }}", values("en"))).toThrow(/unknown value/);
  });
});
