// Text of clients in mails: nothing in it becomes a link in a mail program, and ordinary names stay as they are.
import { Marked } from "marked";
import { describe, expect, test } from "vitest";
import { budgetMail } from "../../edge-functions/_shared/mail/budget-mail.ts";
import { disarm } from "../../edge-functions/_shared/mail/disarm.ts";
import type { Mail } from "../../edge-functions/_shared/mail/mail.ts";
import { answerMail, requestMail } from "../../edge-functions/handovers/mails.ts";
import type { HandoverNotice } from "../../edge-functions/handovers/notice.ts";
import { invitationMail } from "../../edge-functions/v1/team-users/invitation-mail.ts";
import { stubSettings } from "../support/function-settings.ts";
import fc from "../support/property-cases.ts";

stubSettings();

/** What mail programs make links of, widely understood: a scheme, or a host's name or number. */
const looksClickable = [
  /\p{L}[\p{L}\d+.-]*:\/\//u,
  /\b(?:mailto|tel|sms|javascript|data|file):\S/i,
  /[\p{L}\p{N}][.。．｡․]\p{L}/u,
  /\d+\.\d+\.\d+\.\d+/,
];
const links = (text: string) => new Marked({ gfm: true }).parse(text, { async: false }).includes("<a ");

describe("an address", () => {
  test.each([
    "Win at http://evil.example now",
    "https://evil.example/a?b=c#d",
    "HTTPS://EVIL.EXAMPLE",
    "www.evil.example",
    "www.1",
    "evil.example",
    "evil.example.",
    "(evil.example)",
    "xn--80ak6aa92e.com",
    "münchen.example",
    "例え.テスト",
    "evil。example",
    "evil．example",
    "evil｡example",
    "evil․example",
    "http://2130706433/",
    "http://[::1]/",
    "http://localhost",
    "1.2.3.4/path",
    "me@evil.example",
    "mailto:me@evil.example",
    "tel:+33123456789",
    "javascript:alert(1)",
    "ftp://evil.example",
    "a.evil.example/x.html",
    "hxxp://evil.example",
  ])("%s is not one afterwards", (address) => {
    for (const text of [address, `Team ${address}`, `${address}!`, `“${address}”`]) {
      const harmless = disarm(text);
      expect([harmless, looksClickable.filter((form) => form.test(harmless))]).toEqual([harmless, []]);
      expect([harmless, links(harmless)]).toEqual([harmless, false]);
      expect(harmless.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }
  });

  test("is none in any text of its pieces", () => {
    const pieces = fc.constantFrom(
      "http",
      "https",
      ":",
      "/",
      "//",
      ".",
      "。",
      "www",
      "evil",
      "example",
      "1",
      "@",
      " ",
      "x",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const harmless = disarm(parts.join(""));
        expect([harmless, looksClickable.filter((form) => form.test(harmless)), links(harmless)]).toEqual([
          harmless,
          [],
          false,
        ]);
      }),
    );
  });
});

test.each([
  "Acme",
  "Dr. Ada Lovelace",
  "Team 2.0",
  "Ada L.",
  "St. Mary’s (London, etc.)",
  "Support: Paris",
  "Équipe du 10:30",
  "R&D — “Blue” / Green",
  "…and more",
  "Wait... what?",
])("the name %s stays as it is", (name) => {
  expect(disarm(name)).toBe(name);
});

describe.each(["en", "fr"] as const)("a mail in %s", (language) => {
  const name = "Win at http://evil.example now";
  const to = "reader@parley.test";
  const notice: HandoverNotice = {
    handover: {
      id: "1",
      status: "open",
      reason: "requested",
      email: to,
      message: name,
      summary: name,
      language,
      consentVersion: "1",
      consentedAt: "",
      createdAt: "",
    },
    chat: { id: "1", title: name, channel: "web" },
    team: { id: "1", name, codename: "team" },
    agent: { id: "1", name },
    account: null,
    mayBeAnswered: true,
    transcript: [],
    url: "http://127.0.0.1:2/inbox",
  };
  test.each<[string, () => Mail]>([
    ["an invitation", () => invitationMail({ to, team: name, inviter: name, hasAccount: false, language })],
    ["a budget", () => budgetMail({ to, language, teamName: name, codename: "team", spent: 1, cap: 2 })],
    ["a request", () => requestMail(to, language, notice)],
    [
      "an answer",
      () =>
        answerMail(to, language, notice, {
          author: name,
          content: "The office is closed.",
        }),
    ],
  ])("%s has every name, and no address of theirs", (_what, mailOf) => {
    const mail = mailOf();
    const shown = JSON.stringify([mail.subject, mail.paragraphs, mail.note]);
    expect(mail.subject).toContain("evil. example");
    expect(shown).not.toMatch(/evil\.example|http:\S/);
  });

  const content =
    "**Log in** [here](https://evil.example/login), at evil\\.example, evil&#46;example or <a href='http://evil.example'>x</a>.\n\n- ![y](http://evil.example)";
  const answerTo = (account: HandoverNotice["account"]) =>
    answerMail(to, language, { ...notice, account }, { author: "Ann", content });

  test("with an answer has no address for somebody who only typed theirs", () => {
    for (const account of [null, { email: "other@parley.test", locale: language }]) {
      const words = answerTo(account).paragraphs[1];
      expect(words).toMatch(/^Log in here \(https: \/\/evil\. example\/login\), at evil\. example/);
      expect(words).not.toMatch(/evil(\.|&#46;)example|https?:\S/);
    }
  });

  test("with an answer has its links for the account's own address", () => {
    const { paragraphs } = answerTo({ email: to.toUpperCase(), locale: language });
    expect(paragraphs[1]).toEqual({ markdown: content });
  });
});
