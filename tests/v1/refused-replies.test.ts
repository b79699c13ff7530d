// What a reader of a chat is told when its model fails: those who may change the model what is wrong with it, members whom to ask, and
// strangers nothing about it. The web has a sentence for each code, in every language.
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyone, newMember, newTeam, type Person, type Team } from "../support/api.ts";
import { asVisitor, newAgent, openStream, type Visitor } from "../support/content.ts";
import { allEvents } from "../support/event-stream.ts";
import { type Behaviour, type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";

/** A port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54344 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

let fake: OpenAiFake;
let team: Team;
let agentId: string;
let editor: Person;

beforeAll(async () => {
  fake = await startOpenAiFake(servicePort);
  team = await newTeam();
  agentId = await newAgent(team, { visibility: "public" });
  editor = await newMember(team, "editor");
  const connection = {
    role: "chat",
    provider: "custom",
    baseUrl: fake.baseUrl,
    model: "a-model",
    apiKey: "sk-x",
    promptPrice: 10,
    completionPrice: 10,
  };
  const made = await team.owner.post(`${team.path}/models`, connection);
  expect(made.status, made.text).toBe(201);
});
afterAll(async () => await fake?.stop());

/** The error that ends the stream of a reply, after as many failures as the model is called again. */
async function failureFor(who: Person | Visitor, behaviour: Behaviour) {
  const { body: chat } = await who.post(`/v1/agents/${agentId}/chats`, {});
  const asker = "visitorToken" in who ? asVisitor(chat.visitorToken) : who;
  const failures = Array.from({ length: 8 }, () => behaviour);
  fake.next(...failures);
  const events = await allEvents(
    await openStream(asker, `/v1/chats/${chat.id}/messages`, { content: "How many days?" }),
  );
  fake.forget();
  const last = events.at(-1);
  expect(last?.event).toBe("error");
  const told = last?.data as { code: string; message: string; details?: { code: string; params: object }[] };
  // After a reload it says the same.
  const { body: stored } = await asker.get(`/v1/chats/${chat.id}/messages`);
  const code = told.details?.[0]?.code ?? told.code;
  expect(stored.data[1]).toMatchObject({ status: "failed", error: { code, message: expect.any(String) } });
  return told;
}

const faults: [Behaviour, code: string, passes?: boolean][] = [
  [{ how: "status", status: 401 }, "replyKeyRefused"],
  [{ how: "status", status: 403 }, "replyKeyRefused"],
  [{ how: "status", status: 404 }, "replyModelUnknown"],
  [{ how: "status", status: 429, code: "insufficient_quota" }, "replyUsedUp"],
  [{ how: "status", status: 402 }, "replyUsedUp"],
  [{ how: "status", status: 400 }, "replyRefused"],
  [{ how: "status", status: 400, code: "context_length_exceeded" }, "replyTooLong", true],
  [{ how: "empty choices" }, "replyBadAnswer"],
  [{ how: "hang up" }, "replyUnreachable"],
  [{ how: "status", status: 429, headers: { "retry-after": "3000" } }, "replyBusy", true],
  [{ how: "status", status: 504 }, "replySlow", true],
];

test.each(faults)(
  "%o is explained to each reader as far as it concerns them",
  async (behaviour, code, passes) => {
    const visitor = asVisitor("");
    const told = {
      owner: await failureFor(team.owner, behaviour),
      editor: await failureFor(editor, behaviour),
      visitor: await failureFor(visitor, behaviour),
    };
    const detail = (one: string, params = {}) => [
      { path: "", code: one, params, message: expect.any(String) },
    ];
    if (passes) {
      for (const one of Object.values(told))
        expect(one).toMatchObject({ code: "UPSTREAM_FAILED", details: detail(code) });
      return;
    }
    expect(told.owner).toMatchObject({ code: "UPSTREAM_FAILED", details: detail(code, { team: team.id }) });
    expect(told.editor).toMatchObject({ code: "UPSTREAM_FAILED", details: detail("replyAskAdmin") });
    expect(told.visitor).toMatchObject({ code: "UPSTREAM_FAILED", details: detail("replyUnavailable") });
    expect(JSON.stringify(told.visitor)).not.toMatch(/model|provider|key|credit|budget|sk-/i);
  },
);

test("a used-up budget is the team's own affair", async () => {
  const of = async (who: Person | Visitor) => await failureFor(who, { how: "well" });
  await team.owner.put(`${team.path}/budget`, { cap: 0, warnPercent: 80 });
  expect(await of(team.owner)).toMatchObject({
    code: "BUDGET_REACHED",
    details: [{ code: "replyBudget", params: { team: team.id } }],
  });
  const asMember = await of(editor);
  expect(asMember.code).toBe("BUDGET_REACHED");
  expect(asMember.details).toBeUndefined();
  const asStranger = await of(asVisitor(""));
  expect(asStranger).toMatchObject({ code: "UNAVAILABLE", details: [{ code: "replyUnavailable" }] });
  expect(JSON.stringify(asStranger)).not.toMatch(/model|budget/i);
});

test("a reply without a chat is refused in the same way", async () => {
  const other = await newTeam();
  const failing = await newAgent(other, { visibility: "public", model: "no-such-model" });
  const asked = { agentId: failing, messages: [{ role: "user", content: "Hello there" }] };
  const last = async (who: Person | typeof anyone) =>
    (await allEvents(await openStream(who, "/v1/streams", asked))).at(-1);
  expect(await last(other.owner)).toMatchObject({
    event: "error",
    data: { code: "UPSTREAM_FAILED", details: [{ params: { team: other.id } }] },
  });
  expect(await last(anyone)).toMatchObject({
    event: "error",
    data: { code: "UPSTREAM_FAILED", details: [{ code: "replyUnavailable" }] },
  });
});
