// Owns the table of values that the forms refuse: on which page, in which form and field, and with which sentence. Does not post them.

import { testPassword } from "./api.ts";
import type { Behaviour } from "./fakes/openai.ts";
import type { WordKey } from "./words.ts";

/** What the pages are about: a team's path, and ids in it. */
export interface Places {
  team: string;
  teamId: string;
  agent: string;
  knowledge: string;
  source: string;
  answers: string;
  role: string;
  app: string;
  apiKey: string;
  gap: string;
  /** A knowledge base that the agent does not answer from. */
  otherKnowledge: string;
  /** A short address of another agent. */
  takenAddress: string;
  /** The title of two documents. */
  sharedTitle: string;
  /** The base URL of a model provider, and one that nothing listens at. */
  provider: string;
  closed: string;
}

/** Of nothing, for tests that only read the table. */
export const anyPlaces: Places = {
  team: "",
  teamId: "",
  agent: "",
  knowledge: "",
  source: "",
  answers: "",
  role: "",
  app: "",
  apiKey: "",
  gap: "",
  otherKnowledge: "",
  takenAddress: "",
  sharedTitle: "",
  provider: "",
  closed: "",
};

export interface RefusedValue {
  page: string;
  /** The form's name; "" for the page's only one. */
  form?: string;
  typed: Record<string, string | string[]>;
  /** The field with the message; "above" for the message above the form. */
  at: string;
  says: WordKey;
  values?: Record<string, number | string>;
  /** What the model's provider does. */
  provider?: Behaviour;
}

type Value = [typed: string, says: WordKey, values?: RefusedValue["values"]];
const refusal = (code: string) => `errors:refusals.${code}` as WordKey;
const characters = "Tab\u0007le";

/** A field with one value after the other; the others stay as they are. */
const field = (
  page: string,
  at: string,
  values: Value[],
  { form, with: more = {} }: { form?: string; with?: Record<string, string> } = {},
): RefusedValue[] =>
  values.map(([typed, says, numbers]) => ({
    page,
    form,
    typed: { ...more, [at]: typed },
    at,
    says,
    values: numbers,
  }));

const long = (limit: number): Value => ["x".repeat(limit + 1), refusal("tooLong"), { limit }];
const control: Value = [characters, refusal("characters")];
/** Of a whole number between two bounds. */
const whole = (least: number, most: number): Value[] => [
  ["1.5", refusal("wholeNumber")],
  ["ten", refusal("number")],
  [String(least - 1), refusal("tooSmall"), { limit: least }],
  [String(most + 1), refusal("tooBig"), { limit: most }],
];

const account = (): RefusedValue[] => [
  ...field("/account", "name", [["", "auth:errors.name"], long(200), control], { form: "profile" }),
  ...field("/account", "email", [["nobody", refusal("email")]], {
    form: "email",
    with: { currentPassword: testPassword },
  }),
  ...field("/account", "currentPassword", [["wrong-password-1", refusal("passwordWrong")]], {
    form: "email",
    with: { email: "somebody-else@parley.test" },
  }),
  ...field(
    "/account",
    "password",
    [
      ["short", "auth:errors.password"],
      [testPassword, refusal("passwordSame")],
    ],
    { form: "password", with: { currentPassword: testPassword } },
  ),
  ...field("/teams/create", "name", [["", "teams:create.nameMissing"], long(200), control]),
  ...field("/support", "message", [["", refusal("required")], long(10_000)], {
    with: { email: "somebody@parley.test", subject: "Help" },
  }),
  ...field("/support", "email", [["nobody", refusal("email")]], {
    with: { subject: "Help", message: "Please." },
  }),
  ...field("/beta", "email", [["nobody", "errors:refusals.email"]]),
];

const agents = ({ team, agent, otherKnowledge, takenAddress }: Places): RefusedValue[] => {
  const page = `${team}/agents/${agent}`;
  return [
    ...field(`${team}/agents/create`, "name", [["", "agents:nameMissing"], long(200), control]),
    ...field(page, "name", [["", "agents:nameMissing"], control]),
    ...field(page, "instructions", [long(20_000)]),
    ...field(page, "suggestedPrompts", [
      long(300),
      [Array.from({ length: 13 }, (_, at) => `Prompt ${at}`).join("\n"), refusal("tooMany"), { limit: 12 }],
    ]),
    ...field(page, "retrieval.topK", whole(1, 50)),
    ...field(page, "retrieval.minScore", [["1.5", refusal("tooBig"), { limit: 1 }]]),
    ...field(page, "temperature", [
      ["", refusal("required")],
      ["2,5", refusal("tooBig"), { limit: 2 }],
      ["1,000", refusal("number")],
    ]),
    { page, typed: { knowledgeIds: [agent] }, at: "above", says: refusal("missing") },
    ...field(page, "allowedOrigins", [["example.com", refusal("origin")]], { form: "embed" }),
    ...field(`${page}/appearance`, "appearance.color", [["red", refusal("color")]]),
    ...field(`${page}/appearance`, "appearance.address", [
      ["Not an address", refusal("slug")],
      ["widget", refusal("reserved")],
      [takenAddress, refusal("addressTaken")],
    ]),
    {
      page: `${team}/agents/create`,
      typed: { name: "Never created", knowledgeId: agent },
      at: "above",
      says: refusal("missing"),
    },
    {
      page: `${team}/apps/create`,
      typed: { agentId: otherKnowledge, name: "Never created" },
      at: "agentId",
      says: refusal("missing"),
    },
  ];
};

const tests = ({ team, agent, sharedTitle }: Places): RefusedValue[] => {
  const page = `${team}/agents/${agent}/tests`;
  const question = { question: "How many days of leave are there?" };
  const more = { form: "add", with: question };
  return [
    ...field(page, "question", [["", refusal("required")], long(20_000)], {
      form: "add",
      with: { facts: "27" },
    }),
    ...field(page, "facts", [["", refusal("testExpectsNothing")], long(500)], more),
    ...field(
      page,
      "expectedTitle",
      [
        ["No such title", refusal("testNoDocument")],
        [sharedTitle, refusal("testManyDocuments")],
      ],
      more,
    ),
    {
      page,
      form: "add",
      typed: { ...question, facts: "27", mustRefuse: ["on"] },
      at: "mustRefuse",
      says: refusal("testRefusesAndExpects"),
    },
    ...field(page, "csv", [["", "agentTests:import.nothing"]], { form: "import" }),
  ];
};

const knowledge = ({ team, knowledge, source, answers }: Places): RefusedValue[] => {
  const page = `${team}/knowledges/${knowledge}`;
  const create = (type: string) => `${team}/sources/create?type=${type}`;
  const entry = { form: "entry", with: { question: "Who?", answer: "Everybody." } };
  return [
    ...field(page, "name", [["", "app:rename.missing"], long(200)], { form: "rename" }),
    ...field(page, "description", [long(2000)]),
    ...field(page, "language", [["klingon", refusal("option")]]),
    ...field(page, "warnAfterDays", whole(1, 3650)),
    ...field(page, "chunking.maxTokens", whole(32, 2000)),
    ...field(page, "chunking.overlapTokens", [
      ["1.5", refusal("wholeNumber")],
      ["1000", refusal("overlapTooBig")],
    ]),
    ...field(`${team}/sources/${source}`, "name", [["", "app:rename.missing"], control], { form: "rename" }),
    ...field(create("website"), "config.startUrl", [
      ["", "problems:sentences.addressNone"],
      ["not an address", "problems:sentences.addressStart"],
    ]),
    ...field(create("website"), "config.maxPages", [["1,000", refusal("number")]], {
      with: { "config.startUrl": "https://example.com" },
    }),
    ...field(create("website"), "config.maxDepth", whole(0, 20), {
      with: { "config.startUrl": "https://example.com" },
    }),
    ...field(create("website"), "config.include", [["no pattern", "problems:sentences.pathPattern"]], {
      with: { "config.startUrl": "https://example.com" },
    }),
    ...field(
      create("confluence"),
      "config.site",
      [["https://example.com", "problems:sentences.addressEnd", { suffix: ".atlassian.net" }]],
      {
        with: { "credentials.email": "somebody@example.com", "credentials.apiToken": "token" },
      },
    ),
    { page: create("file"), typed: { name: "Files" }, at: "config.fileIds", says: "sources:create.noFiles" },
    ...field(`${team}/sources/${answers}`, "question", [["", refusal("required")], long(2000)], {
      form: "entry",
      with: { answer: "Everybody." },
    }),
    ...field(
      `${team}/sources/${answers}`,
      "expiresAt",
      [
        ["2030-02-31", refusal("date")],
        ["1999-12-31", refusal("dateRange")],
      ],
      entry,
    ),
    {
      page: `${team}/sources/${source}`,
      form: "knowledge",
      typed: { knowledge: source },
      at: "knowledge",
      says: refusal("missing"),
    },
  ];
};

const gaps = ({ team, gap, otherKnowledge }: Places): RefusedValue[] => {
  const page = `${team}/gaps/${gap}`;
  const answer = { answer: "Under the roof." };
  return [
    ...field(page, "answer", [["", refusal("required")]], { form: "answer" }),
    ...field(page, "expiresAt", [["2001-02-03", refusal("datePast")]], { form: "answer", with: answer }),
    {
      page,
      form: "answer",
      typed: { ...answer, knowledgeId: otherKnowledge },
      at: "knowledgeId",
      says: refusal("gapKnowledge"),
    },
  ];
};

const settings = ({ team, teamId, role, app, apiKey }: Places): RefusedValue[] => [
  ...field(`${team}/settings`, "name", [["", "teams:create.nameMissing"], control], { form: "name" }),
  ...field(
    `${team}/settings`,
    "codename",
    [
      ["Not a slug", refusal("slug")],
      [teamId, refusal("slugLikeId")],
      ["demo", refusal("slugTaken")],
    ],
    { form: "name" },
  ),
  ...field(`${team}/roles/create`, "name", [["", "roles:nameMissing"], long(100)], {
    with: { permissions: "agents.read" },
  }),
  {
    page: `${team}/roles/create`,
    typed: { name: "Readers", permissions: [] },
    at: "above",
    says: "roles:permissionsMissing",
  },
  {
    page: `${team}/roles/create`,
    typed: { name: "Editor", permissions: ["agents.read"] },
    at: "above",
    says: refusal("roleTaken"),
  },
  {
    page: `${team}/roles/create`,
    typed: { name: "Role", permissions: ["agents.read"] },
    at: "above",
    says: refusal("roleTaken"),
  },
  ...field(`${team}/roles/${role}`, "name", [long(100)], { with: { permissions: "agents.read" } }),
  ...field(`${team}/apps/${app}`, "name", [["", "apps:nameMissing"], long(200)]),
  ...field(`${team}/apps/${app}`, "channels", [["general", "apps:channels.wrong"]]),
  ...field(`${team}/apiKeys/${apiKey}`, "name", [["", "apiKeys:nameMissing"], control]),
  ...field(`${team}/users`, "emails", [["", "users:emailMissing"]]),
  ...field(`${team}/handovers/settings`, "emails", [["nobody", refusal("email")]], { form: "offer" }),
  ...field(
    `${team}/handovers/settings`,
    "webhookUrl",
    [
      ["nowhere", refusal("url")],
      ["https://127.0.0.1/hook", refusal("webhookNotPublic")],
      ["http://example.com/hook", refusal("webhookNotPublic")],
    ],
    { form: "webhook" },
  ),
];

const models = ({ team, provider, closed }: Places): RefusedValue[] => {
  const page = `${team}/models?role=chat&provider=custom`;
  const connection = { baseUrl: provider, model: "a-model", apiKey: "sk-something" };
  const more = { form: "connect", with: connection };
  const connect = (
    behaviour: Behaviour,
    at: string,
    code: string,
    values: RefusedValue["values"] = {},
  ): RefusedValue => ({
    page,
    form: "connect",
    typed: connection,
    at,
    says: refusal(code),
    values,
    provider: behaviour,
  });
  return [
    ...field(
      page,
      "baseUrl",
      [
        ["", refusal("required")],
        ["nowhere", refusal("url")],
        ["http://10.0.0.1/v1", refusal("modelNotPublic")],
        [closed, refusal("modelUnreachable")],
      ],
      more,
    ),
    ...field(page, "apiKey", [["sk with spaces", refusal("key")], long(2000)], more),
    ...field(page, "model", [["", refusal("required")], long(200), control], more),
    ...field(
      page,
      "promptPrice",
      [
        ["-1", refusal("tooSmall"), { limit: 0 }],
        ["much", refusal("number")],
      ],
      more,
    ),
    connect({ how: "status", status: 401 }, "apiKey", "modelKeyRefused"),
    connect({ how: "status", status: 403 }, "apiKey", "modelKeyRefused"),
    connect({ how: "status", status: 404 }, "model", "modelUnknown", { model: "a-model" }),
    connect({ how: "status", status: 429, code: "insufficient_quota" }, "apiKey", "modelUsedUp"),
    connect({ how: "status", status: 429 }, "apiKey", "modelBusy"),
    connect({ how: "status", status: 400 }, "model", "modelRefused"),
    connect({ how: "html" }, "baseUrl", "modelBadAnswer"),
    connect({ how: "hang up" }, "baseUrl", "modelUnreachable"),
    ...field(
      `${team}/models`,
      "cap",
      [
        ["-1", refusal("tooSmall"), { limit: 0 }],
        ["much", refusal("number")],
        ["20000000", refusal("tooBig"), { limit: 10_000_000 }],
      ],
      { form: "budget" },
    ),
    ...field(`${team}/models`, "warnPercent", whole(1, 100), { form: "budget" }),
  ];
};

/** Of the forms of a team, its account, and what anybody may send. */
export const refusedValues = (places: Places): RefusedValue[] =>
  [account, agents, tests, knowledge, gaps, settings, models].flatMap((part) => part(places));
