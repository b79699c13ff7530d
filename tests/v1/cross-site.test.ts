// The browser's cookie: changes are refused when another site's page requests them. Every call comes from the API's description, so that a
// new one is included.
import { beforeAll, expect, test } from "vitest";
import { newPerson, owner, type Person } from "../support/api.ts";
import { operationsOf, readDescription } from "../support/description.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

let person: Person;
let webUrl: string;
let cookie: string;

beforeAll(async () => {
  ({ webUrl } = await findStack());
  person = await newPerson();
  cookie = cookieOf(await postLogin(person));
});

const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  fetch(`${webUrl}${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body,
  });

/** Headers of a request from another site's page, in new and old browsers. */
const fromElsewhere = (own: string): Record<string, string>[] => [
  { origin: "https://elsewhere.test" },
  { origin: "null" },
  { origin: `${own}.elsewhere.test` },
  { origin: own.replace(/:\d+$/, ":1") },
  { origin: own.replace("http:", "https:") },
  { origin: "https://elsewhere.test", "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
];

test("every changing call is refused from another site's page, and changes nothing", async () => {
  const calls = operationsOf(await readDescription()).filter(({ method }) => method !== "get");
  expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(["post", "put", "delete"]));
  const teams = async () => (await owner())`select 1 from public.teams where created_by = ${person.id}`;
  const wrong: string[] = [];
  for (const { method, path, operation } of calls) {
    const example = operation.requestBody?.content["application/json"]?.example;
    const body = example === undefined ? undefined : JSON.stringify(example);
    const address = path.replace(/\{\w+\}/g, person.id);
    const tries = fromElsewhere(webUrl).map(async (headers) => {
      const answer = await send(method.toUpperCase(), address, headers, body);
      const { code, message } = (await answer.json()) as { code?: string; message?: string };
      if (
        answer.status !== 403 ||
        code !== "FORBIDDEN" ||
        message !== "This request came from another site."
      ) {
        wrong.push(`${method} ${path} ${JSON.stringify(headers)}: ${answer.status} ${message}`);
      }
    });
    await Promise.all(tries);
  }
  expect(wrong).toEqual([]);
  // Unsupported methods are no way around it, nor are the pages' own forms.
  for (const [method, path] of [
    ["PATCH", "/v1/teams"],
    ["POST", "/teams/create"],
    ["POST", "/preferences"],
    ["POST", "/onboarding/file"],
  ] as const) {
    expect((await send(method, path, { origin: "https://elsewhere.test" }, "{}")).status).toBe(403);
  }
  expect(await teams()).toHaveLength(0);

  // The same cookie, from our own page.
  const made = await send("POST", "/v1/teams", { origin: webUrl }, JSON.stringify({ name: "My own" }));
  expect(made.status).toBe(201);
  expect(await teams()).toHaveLength(1);
});

test("no other site reads an answer that a cookie authorises", async () => {
  const answer = await send("GET", "/v1/auth/me", { origin: "https://elsewhere.test" });
  expect(await answer.json()).toMatchObject({ id: person.id });
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
});
