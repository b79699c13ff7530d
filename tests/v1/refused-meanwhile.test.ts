// What a person reads when a form is refused because of what happened after it was opened: the exact sentence, in their language, where
// they look, and what they typed is still there. As a browser without JavaScript posts it.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { errorCodes } from "../../edge-functions/_shared/requests/errors.ts";
import { refusalCodes } from "../../edge-functions/_shared/requests/refusals.ts";
import { failureOf } from "../../web/client/call-api.ts";
import { failureWords } from "../../web/client/failure-words.ts";
import { newTeam, owner, type Person } from "../support/api.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { accountsMeanwhile } from "../support/meanwhile/accounts.ts";
import { administrationMeanwhile } from "../support/meanwhile/administration.ts";
import { agentsMeanwhile } from "../support/meanwhile/agents.ts";
import { calledMeanwhile } from "../support/meanwhile/calls.ts";
import { membersMeanwhile } from "../support/meanwhile/members.ts";
import { openBrowser, type Refused, readingMember, type Stand } from "../support/meanwhile/stand.ts";
import { filledForm, plainText, type ShownForm, shownForms } from "../support/refused-forms.ts";
import { anyPlaces, refusedValues } from "../support/refused-values.ts";
import { findStack } from "../support/stack.ts";
import { otherLanguages, sayIn } from "../support/words.ts";

/** A port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54342 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

const stands = new Map<string, Stand>();
let fake: OpenAiFake;

beforeAll(async () => {
  fake = await startOpenAiFake(servicePort);
  for (const language of otherLanguages) {
    const team = await newTeam();
    const reads = async (person: Person) => {
      await person.put(`/v1/users/${person.id}`, { locale: language });
      return person;
    };
    stands.set(language, {
      language,
      team,
      at: `/teams/${team.codename}`,
      web: await openBrowser(language, await reads(team.owner)),
      sql: await owner(),
      fake,
      create: async (path, body) => {
        const answer = await team.owner.post(`${team.path}${path}`, body);
        if (answer.status !== 201) throw new Error(`${path} made nothing: ${answer.text}`);
        return answer.body.id;
      },
      browser: (person) => openBrowser(language, person),
      member: (role) => readingMember(team, role, language),
      reads,
    });
  }
});
afterAll(async () => await fake?.stop());

const plain = (text: string) => text.replace(/\s+/g, " ").trim();
const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The sentence in the language; a value that only a pattern knows matches it. */
function patternOf({ says, values = {} }: Refused, { language }: Stand): RegExp {
  const gaps = Object.entries(values).map(([name, value], at) => {
    const shown = typeof value === "number" ? new Intl.NumberFormat(language).format(value) : value;
    return {
      name,
      mark: `<${at}>`,
      source: shown instanceof RegExp ? shown.source : escapePattern(plain(shown)),
    };
  });
  const marks = Object.fromEntries(gaps.map(({ name, mark }) => [name, mark]));
  const sentences = [says].flat().map((key) => {
    const said = escapePattern(plain(sayIn(language)(key, marks)));
    return gaps.reduce((text, { mark, source }) => text.replaceAll(mark, source), said);
  });
  return new RegExp(sentences.join("|"));
}

/** What is said at the place, and what is wrong with it. */
function judge(html: string, { at, kept }: Refused, fits: (form: ShownForm) => boolean) {
  const faults: string[] = [];
  if (kept && !html.includes(kept)) faults.push(`loses “${kept}”`);
  const form = shownForms(html).find(fits);
  if (at === "page" || at === "next") return { said: plainText(html), faults };
  if (!form) return { said: plainText(html), faults: [...faults, "the form is gone"] };
  if (form.hidden.length > 0) faults.push(`hides the message of “${form.hidden.join(", ")}”`);
  if (at === "dialog" && !form.isInDialog) faults.push("the form is in no dialog");
  const ofField = form.fields.filter(({ name }) => name === at).map(({ refusal }) => refusal);
  return { said: at === "above" || at === "dialog" ? form.above : ofField.join(" "), faults };
}

async function provoke(refused: Refused, stand: Stand): Promise<string[]> {
  const opened = await refused.open(stand);
  const { web = stand.web, page, form = "", typed = {}, fields = {} } = opened;
  const fits = (one: ShownForm) =>
    one.name === form &&
    Object.keys(typed).every(
      (name) => name === "status" || one.fields.some((shown) => shown.name === name),
    ) &&
    Object.entries(fields).every(([name, value]) =>
      one.fields.some((shown) => shown.name === name && shown.value === value),
    );
  const first = await web.get(page);
  const forms = shownForms(first.html);
  const shown = forms.find(fits);
  if (!shown)
    return [
      `${page} answers ${first.status} with the forms ${JSON.stringify(forms.map(({ name }) => name))} only`,
    ];
  await opened.meanwhile?.();
  const filled = filledForm(shown, typed);
  let answer = await web.post(opened.action ?? page, opened.body?.(filled) ?? filled);
  stand.fake.dimensions = 8;
  if (answer.status !== refused.status)
    return [
      `answers ${answer.status} ${answer.headers.get("location") ?? plainText(answer.html).slice(0, 300)}`,
    ];
  if (refused.at === "next") answer = await web.follow(answer.headers.get("location") ?? "");
  const { said, faults } = judge(answer.html, refused, fits);
  const pattern = patternOf(refused, stand);
  if (!pattern.test(plain(said))) faults.push(`says “${said.slice(0, 600)}” instead of ${pattern}`);
  return faults;
}

const forms = [
  ["a team's people", membersMeanwhile],
  ["agents, tests and sources", agentsMeanwhile],
  ["accounts", accountsMeanwhile],
  ["models and the administration", administrationMeanwhile],
] as const;

test.each(forms)(
  "%s: each refusal is explained where it is looked for, in the reader's language",
  async (_, all) => {
    const wrong: string[] = [];
    for (const refused of all)
      for (const stand of stands.values()) {
        const faults = await provoke(refused, stand).catch((error) => [String(error)]);
        wrong.push(...faults.map((fault) => `${stand.language} ${refused.code} (${refused.says}): ${fault}`));
      }
    expect(wrong).toEqual([]);
  },
);

test("an island has a sentence for each refused call, in the reader's language", async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { i18nFor } = await import("../../web/request/i18n.ts");
  const { webUrl } = await findStack();
  const wrong: string[] = [];
  for (const { code, says, status, open } of calledMeanwhile)
    for (const { language, web, ...stand } of stands.values()) {
      const { method = "POST", path, body, headers } = await open({ language, web, ...stand });
      const answer = await fetch(`${webUrl}${path}`, {
        method,
        body: body === undefined ? undefined : JSON.stringify(body),
        headers: {
          ...(headers ?? { cookie: web.cookie() }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          origin: webUrl,
          "accept-language": language,
        },
      });
      const text = await answer.text();
      const failure = failureOf(answer.status, JSON.parse(text || "null"), () => null);
      const { description } = failureWords(failure, i18nFor(language).t, {
        supportEmail: "",
        language,
        isMarked: false,
      });
      if (answer.status !== status || plain(description) !== plain(sayIn(language)(says)))
        wrong.push(`${language} ${code}: answers ${answer.status} ${text} and says “${description}”`);
    }
  expect(wrong).toEqual([]);
});

/** Provoked in a chat: refused-replies.test.ts. */
const inChats = [
  "BUDGET_REACHED",
  "UPSTREAM_FAILED",
  "UNAVAILABLE",
  "replyUnavailable",
  "replyAskAdmin",
  "replyKeyRefused",
  "replyUsedUp",
  "replyModelUnknown",
  "replyRefused",
  "replyBadAnswer",
  "replyUnreachable",
  "replyBusy",
  "replySlow",
  "replyTooLong",
  "replyBudget",
];

/** Codes that no form and no island of the stack can meet, each with its reason. */
const unmet: Record<string, string> = {
  USER_NOT_CREATED: "the auth server fails while an account is created",
  UNEXPECTED_ERROR: "a defect",
  STORAGE_REACHED: "an operator limits storage: storage.test.ts",
  storageReached: "an operator limits storage: storage.test.ts",
  rowsFull: "a team has a thousand roles or keys: counted-rows.test.ts",
  appsFull: "a team has a thousand apps: counted-rows.test.ts",
  sourcesFull: "a knowledge base has 200 sources: knowledges.test.ts",
  METHOD_NOT_ALLOWED: "pages and islands call what the description lists",
  UNSUPPORTED_MEDIA_TYPE: "pages and islands send JSON",
  siteNotAllowed: "the page around the widget's frame is on a site: tests/e2e/widget.spec.ts",
  replyGivenUp: "the process that writes a reply dies",
  invalid: "every check of a form's field has a code of its own",
  unknown: "forms send the fields that the API has",
  type: "forms send each field as the type that it has",
  pattern: "a connector's own fields have sentences of their own",
  tooShort: "the only long minimum is that of a password, whose sentence is the form's own",
  tooFew: "no list that a form sends has a minimum",
  slackChannel: "the form checks the channels itself, and says which one is wrong",
  emailRefused: "a hosted auth server's list of addresses",
  passwordWeak: "a hosted auth server's list of passwords",
  signUpClosed: "a hosted auth server's setting",
  onlyInvited: "a setting of the installation",
  uploadCut: "the browser goes away in the middle of an upload",
  tooSlow: "a body stalls for half a minute",
  diskFull: "a disk is full",
  ...Object.fromEntries(
    refusalCodes
      .filter((code) => /^slack[A-Z]/.test(code) && code !== "slackChannel")
      .map((code) => [code, "Slack takes no reply: tests/faults/slack-failures.test.ts"]),
  ),
};

test("every code of the API is provoked, or cannot be met", () => {
  const provoked = new Set([
    ...[...forms.flatMap(([, all]) => [...all]), ...calledMeanwhile].flatMap(({ code }) => code),
    ...inChats,
    ...refusedValues(anyPlaces).flatMap(({ says }) => /^errors:refusals\.(\w+)$/.exec(says)?.[1] ?? []),
    // Each refused value that is posted is one.
    "VALIDATION_FAILED",
    // Each refusal of a row that has changed or is in use.
    "CONFLICT",
  ]);
  const all = [...errorCodes, ...refusalCodes];
  const named = new Set([...provoked, ...Object.keys(unmet)]);
  expect(all.filter((code) => !named.has(code))).toEqual([]);
  expect([...named].filter((code) => !all.some((one) => one === code))).toEqual([]);
  expect(Object.keys(unmet).filter((code) => provoked.has(code))).toEqual([]);
  console.log(`${all.filter((code) => provoked.has(code)).length} of ${all.length} codes provoked`);
});
