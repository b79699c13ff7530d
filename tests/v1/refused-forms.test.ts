// What a person reads when a form is refused: the reason at its field or above the form, in the page's language, with what was typed still
// there. As a browser without JavaScript posts it, so that every check is the server's.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LanguageCode } from "../../locales/registry.ts";
import { newMember, owner, type Person } from "../support/api.ts";
import { newAgent } from "../support/content.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { type Furnished, furnishedTeam } from "../support/furnished.ts";
import { filledForm, type ShownForm, shownForms } from "../support/refused-forms.ts";
import { type Places, type RefusedValue, refusedValues } from "../support/refused-values.ts";
import { signIn, type WebSession } from "../support/web-forms.ts";
import { otherLanguages, sayIn } from "../support/words.ts";

/** The port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54343 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

let fake: OpenAiFake;
let places: Places;
let furnished: Furnished;
const readers = new Map<LanguageCode, WebSession>();

beforeAll(async () => {
  fake = await startOpenAiFake(servicePort);
  furnished = await furnishedTeam();
  places = await furnishedPlaces(furnished);
  for (const language of otherLanguages) {
    const person = await newMember(furnished.team, "owner");
    await person.put(`/v1/users/${person.id}`, { locale: language });
    readers.set(language, await signIn(person));
  }
});
afterAll(async () => await fake?.stop());

async function furnishedPlaces({ team, ids }: Furnished): Promise<Places> {
  const idOf = (name: string) => ids[`${name}/`] ?? "";
  const create = async (path: string, body: unknown): Promise<string> => {
    const answer = await team.owner.post(`${team.path}${path}`, body);
    if (answer.status !== 201) throw new Error(`${path} made nothing: ${answer.text}`);
    return answer.body.id;
  };
  const [agent, source, knowledge] = [idOf("agents"), idOf("sources"), idOf("knowledges")];
  await team.owner.put(`${team.path}/agents/${agent}`, { knowledgeIds: [knowledge] });
  const sharedTitle = "Two of this title";
  for (const externalId of ["a", "b"])
    await create(`/sources/${source}/documents`, { externalId, title: sharedTitle, content: "Text." });
  await team.owner.upload(`${team.path}/files/upload`, "notes.txt", "Text.");
  const takenAddress = `taken-${team.id.slice(-12)}`;
  await newAgent(team, { appearance: { address: takenAddress } });
  return {
    team: `/teams/${team.codename}`,
    teamId: team.id,
    agent,
    knowledge,
    source,
    answers: await create("/sources", { type: "qa", name: "Answers" }),
    role: idOf("roles"),
    app: idOf("apps"),
    apiKey: idOf("apiKeys"),
    gap: await newGap(team.id, agent, team.owner),
    otherKnowledge: await create("/knowledges", { name: "Not the agent's" }),
    takenAddress,
    sharedTitle,
    provider: fake.baseUrl,
    closed: `http://127.0.0.1:${servicePort + 3}/v1`,
  };
}

/** A gap as the indexing tick makes it, without waiting for one. */
async function newGap(teamId: string, agentId: string, person: Person): Promise<string> {
  const chat = await person.post(`/v1/agents/${agentId}/chats`, {});
  const { body } = await person.post(`/v1/chats/${chat.body.id}/messages`, {
    content: "Where is the attic?",
  });
  const sql = await owner();
  const [gap] = await sql<{ id: string }[]>`
    insert into public.gaps (team_id, agent_id, reason, questions, people, open_questions)
    values (${teamId}, ${agentId}, 'missing', 1, 1, 1) returning id`;
  if (!gap) throw new Error("No gap was made");
  await sql`
    update public.gap_questions set gap_id = ${gap.id}, is_leader = true where message_id = ${body.reply.id}`;
  return gap.id;
}

/** As a reader sees it: spaces of every kind are one space. */
const plain = (text: string) => text.replace(/\s+/g, " ").trim();

function sentenceOf({ says, values = {} }: RefusedValue, language: LanguageCode): string {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" ? new Intl.NumberFormat(language).format(value) : value,
  ]);
  return plain(sayIn(language)(says, Object.fromEntries(shown)));
}

const isSecret = (form: ShownForm, name: string) =>
  form.fields.some((field) => field.name === name && field.type === "password");

/** The typed values that the form no longer has. */
const listLost = (form: ShownForm, typed: RefusedValue["typed"]) =>
  Object.entries(typed).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => {
      const fields = form.fields.filter((field) => field.name === name);
      const isKept = fields.some((field) =>
        /^(checkbox|radio)$/.test(field.type)
          ? field.isChecked && field.value === value
          : field.value === value,
      );
      // Nobody can choose what a list does not offer, and a secret is never sent back.
      const isChoice = fields.some(({ type }) => type === "select" || type === "checkbox");
      return isKept || isSecret(form, name) || (isChoice && !isOffered(form, name, value)) ? [] : [name];
    }),
  );

const isOffered = (form: ShownForm, name: string, value: string) =>
  form.fields.some((field) => field.name === name && field.options.includes(value));

test("each refused value is explained where it was typed, in the reader's language, and nothing typed is lost", async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const language of otherLanguages) {
    const web = readers.get(language);
    if (!web) throw new Error(`nobody reads ${language}`);
    const before = new Map<string, ShownForm[]>();
    for (const row of refusedValues(places)) {
      const { page, form: name = "", typed, at, provider } = row;
      const what = `${language} ${page} [${name}] ${JSON.stringify(typed).slice(0, 120)}`;
      const complain = (problem: string) => wrong.push(`${what}: ${problem}`);
      const forms = before.get(page) ?? shownForms((await web.get(page)).html);
      before.set(page, forms);
      const fields = Object.keys(typed);
      const fits = (one: ShownForm) =>
        one.name === name && fields.every((field) => one.fields.some((shown) => shown.name === field));
      const form = forms.find(fits);
      if (!form) {
        complain("the page has no such form");
        continue;
      }
      // Twice, since a kept connection that is hung up is opened again.
      if (provider) fake.next(provider, provider);
      const answer = await web.post(page, filledForm(form, typed));
      fake.forget();
      tried++;
      if (![400, 409, 422].includes(answer.status)) {
        complain(`answers ${answer.status} ${answer.headers.get("location") ?? ""}`);
        continue;
      }
      const again = shownForms(answer.html).find(fits);
      if (!again) {
        complain("the form is gone");
        continue;
      }
      const said =
        at === "above"
          ? again.above
          : again.fields
              .filter((one) => one.name === at)
              .map(({ refusal }) => refusal)
              .join(" ");
      const sentence = sentenceOf(row, language);
      if (!said.includes(sentence))
        complain(`says “${said}” instead of “${sentence}”; above: “${again.above}”`);
      if (again.hidden.length > 0) complain(`hides the message of ${again.hidden.join(", ")}`);
      if (listLost(again, typed).length > 0) complain(`loses ${listLost(again, typed).join(", ")}`);
    }
  }
  console.log(`${tried} refused values`);
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(100);
});
