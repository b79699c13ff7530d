// The basis of the list of tested calls: each call is found with its method and path, and no others.
import { expect, test } from "vitest";
import { writtenCalls } from "../support/written-calls.ts";

const findCalls = (text: string) => writtenCalls(text).map(({ method, path }) => `${method} ${path}`);

test.each([
  ["a path that is written out", `anyone.get("/v1/health/public?x=1");`, ["GET /health/public"]],
  [
    "each method with its own path alone",
    `owner.get("/v1/teams"); owner.post("/v1/roles", {}); owner.delete(\`/v1/vectors/\${id}\`);`,
    ["GET /teams", "POST /roles", "DELETE /vectors/{}"],
  ],
  [
    "a team's path, by what the name is declared as",
    `let team: Team; const other = await newTeam(); const chat = { path: "/v1/chats/1" };
     team.owner.put(team.path, {}); x.get(other.path + "/tasks"); x.post(\`\${chat.path}/messages\`);`,
    ["PUT /teams/{}", "GET /teams/{}/tasks", "POST /chats/1/messages"],
  ],
  [
    "a helper, with the arguments of each call",
    `const path = (id = "") => \`/v1/teams/\${team}/agents\${id && \`/\${id}\`}\`;
     const remove = (at) => owner.delete(at);
     owner.get(path()); owner.put(path(agent.id), {}); remove(path("a"));`,
    ["GET /teams/{}/agents", "PUT /teams/{}/agents/{}", "DELETE /teams/{}/agents/a"],
  ],
  [
    "loops, an element at a time",
    `for (const [method, at] of [["PUT", "/v1/users/1"], ["DELETE", "/v1/roles/1"]] as const) x.call(method, at);
     test.each([["get", "/v1/vectors"]])("%s", async (name, at) => { await x[name](at); });
     ["/v1/teams", "/v1/users"].map((at) => anyone.get(at));`,
    ["PUT /users/1", "DELETE /roles/1", "GET /vectors", "GET /teams", "GET /users"],
  ],
  [
    "names in their scopes, and what is assigned later",
    `let at: string; beforeEach(() => { at = "/v1/beta"; });
     test("a", () => { const at = "/v1/roles"; x.get(at); }); test("b", () => x.post(at));`,
    ["GET /roles", "POST /beta"],
  ],
  [
    "fetch with the method of its settings",
    `fetch(\`\${apiUrl}/v1/streams\`, { method: "POST" }); fetch(apiUrl + "/v1/docs");`,
    ["POST /streams", "GET /docs"],
  ],
  ["nothing where only a run knows", `x.get(somewhere()); map.get("key"); x.call(method, "/v1/teams");`, []],
])("%s", (_what, text, calls) => {
  expect(findCalls(text)).toEqual(calls);
});

const findChecks = (text: string) => writtenCalls(text).map(({ isChecked }) => isChecked);

test.each([
  ["in an expect", `expect((await x.get("/v1/teams")).status).toBe(200);`, true],
  [
    "by a name",
    `const { body } = await x.get("/v1/teams"); const [first] = body.data; expect(first).toEqual(1);`,
    true,
  ],
  [
    "by a name assigned later",
    `let all; beforeAll(async () => { all = await x.get("/v1/teams"); }); test("a", () => { expect(all).toBe(1); });`,
    true,
  ],
  [
    "by a condition",
    `const made = await x.get("/v1/teams"); if (made.status !== 201) throw new Error("no");`,
    true,
  ],
  [
    "through a helper",
    `const ask = async () => { const a = await x.get("/v1/teams"); return a.body; }; expect(await ask()).toBe(1);`,
    true,
  ],
  ["through a callback", `expect(await Promise.all(ids.map((id) => x.get("/v1/teams")))).toEqual([]);`, true],
  ["while it is polled", `await expect.poll(() => x.get("/v1/teams")).toBe(1);`, true],
  ["not at all", `await x.get("/v1/teams"); expect(1).toBe(1);`, false],
  ["by a name that nobody looks at", `const one = await x.get("/v1/teams"); await x.stop(one);`, false],
  [
    "in a helper whose result is dropped",
    `const ask = () => x.get("/v1/teams"); beforeEach(async () => { await ask(); });`,
    false,
  ],
])("an answer is looked at %s", (_how, text, isChecked) => {
  expect(findChecks(text)).toEqual([isChecked]);
});
