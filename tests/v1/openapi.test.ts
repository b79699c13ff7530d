// The OpenAPI document: valid, complete, and true to real responses; and the page that shows it.
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, anyone, newPerson } from "../support/api.ts";
import {
  answerOf,
  type Description,
  type Operation,
  operationsOf,
  readDescription,
} from "../support/description.ts";

let description: Description;
let operations: { name: string; operation: Operation }[];
beforeAll(async () => {
  description = await readDescription();
  operations = operationsOf(description).map(({ method, path, operation }) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  }));
});

describe("the description", () => {
  test("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(description));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(description.openapi).toBe("3.1.0");
  });

  test("names every call once, with a description and a heading", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(operations.length);
    const wordless = operations.filter(({ operation }) => !operation.summary || !operation.tags?.length);
    expect(wordless.map(({ name }) => name)).toEqual([]);
  });

  test("gives every body and every answer a valid example", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ ...description, $id: "description" });
    const absolute = (schema: unknown) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"description#/components'));
    const compiled = new Map<string, ValidateFunction>();
    let count = 0;
    const unfit: string[] = [];
    const shared = Object.entries(description.components.responses);
    const described = operations.map(({ name, operation }) => ({
      name,
      contents: [
        ["body", operation.requestBody?.content] as const,
        ...Object.entries(operation.responses).map(
          ([status, answer]) => [status, "$ref" in answer ? undefined : answer.content] as const,
        ),
      ],
    }));
    const errors = {
      name: "any call",
      contents: shared.map(([name, { content }]) => [name, content] as const),
    };
    for (const { name, contents } of [...described, errors]) {
      for (const [place, content] of contents) {
        const media = content?.["application/json"];
        if (!media) continue;
        count += 1;
        // Most answers share a few schemas, and compiling one takes longer than all its uses.
        const key = JSON.stringify(media.schema);
        const fits = compiled.get(key) ?? ajv.compile(absolute(media.schema));
        compiled.set(key, fits);
        if (!fits(media.example)) unfit.push(`${name} ${place}: ${ajv.errorsText(fits.errors)}`);
      }
    }
    expect(unfit).toEqual([]);
    expect(count).toBeGreaterThan(operations.length);
  });

  test("says which credentials each call takes, and which permission they need", () => {
    const needs = (name: string) => {
      const { operation } = operations.find((one) => one.name === name) ?? {};
      return [operation?.security, operation?.description ?? ""];
    };
    expect(needs("GET /v1/health/public")).toEqual([[], ""]);
    expect(needs("GET /v1/agents")[0]).toEqual([{}, { bearer: [] }, { visitor: [] }]);
    expect(needs("GET /v1/chats/{chatId}/messages")[0]).toEqual([{ bearer: [] }, { visitor: [] }]);
    expect(needs("POST /v1/teams/{teamId}/agents")).toEqual([
      [{ bearer: ["agents.write"] }],
      "Requires the permission agents.write.",
    ]);
    expect(needs("POST /v1/admin/agents")).toEqual([
      [{ bearer: [] }],
      "For platform admins: everyone else gets NOT_FOUND.",
    ]);
    expect(needs("GET /v1/auth/sessions")).toEqual([
      [{ bearer: [] }],
      "For users: an API key gets FORBIDDEN.",
    ]);
    const silent = operations.filter(
      ({ name, operation }) =>
        name.includes(" /v1/teams/{teamId}/") && !operation.description?.includes("Requires the permission"),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test("says what each parameter of a query means, unless its values or its name say it", () => {
    const silent = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter(
          ({ in: place, description, schema }) =>
            place === "query" && !description && !schema?.enum && !schema?.$ref,
        )
        .filter((one) => !/Id$/.test(one.name))
        .map((one) => `${name} ${one.name}`),
    );
    expect(silent).toEqual([]);
  });

  test("lists the errors of every call with their codes", () => {
    for (const { name, operation } of operations) {
      if (name === "GET /v1/health/public") continue;
      expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(["400", "429", "503"]));
      expect(answerOf(description, operation.responses["400"])?.description, name).toContain(
        "VALIDATION_FAILED",
      );
    }
  });

  test("names the headers that real answers have", async () => {
    const person = await newPerson();
    const { body: team } = await person.post("/v1/teams", { name: "Headed" });
    const { body: agent } = await person.post(`/v1/teams/${team.id}/agents`, { name: "a" });
    const deleted = await person.delete(`/v1/teams/${team.id}/agents/${agent.id}`);
    const described = description.paths["/v1/teams/{teamId}/agents/{id}"]?.delete?.responses;
    expect(deleted.headers.get("undo-until")).not.toBeNull();
    expect(Object.keys(answerOf(description, described?.["204"])?.headers ?? {}).sort()).toEqual([
      "Undo-Until",
      "X-Request-Id",
    ]);
    const limited = operations.filter(
      ({ operation }) => !answerOf(description, operation.responses["429"])?.headers?.["Retry-After"],
    );
    expect(limited.map(({ name }) => name)).toEqual([]);
  });

  test("matches real answers", async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ ...description, $id: "description" });
    const person = await newPerson();
    const { body: team } = await person.post("/v1/teams", { name: "Described" });
    const answers: [string, string, Answer][] = [
      ["/v1/auth/me", "get", await person.get("/v1/auth/me")],
      ["/v1/teams", "get", await person.get("/v1/teams")],
      ["/v1/teams/{id}", "get", await person.get(`/v1/teams/${team.id}`)],
      ["/v1/teams/pending-invites", "get", await person.get("/v1/teams/pending-invites")],
      ["/v1/users", "get", await person.get("/v1/users")],
      ["/v1/roles", "get", await person.get("/v1/roles")],
      ["/v1/teamUsers/{id}/users", "get", await person.get(`/v1/teamUsers/${team.id}/users`)],
      [
        "/v1/teams/{teamId}/apiKeys",
        "post",
        await person.post(`/v1/teams/${team.id}/apiKeys`, { name: "k" }),
      ],
      ["/v1/teams/{teamId}/agents", "post", await person.post(`/v1/teams/${team.id}/agents`, { name: "a" })],
      ["/v1/teams/{teamId}/agents", "get", await person.get(`/v1/teams/${team.id}/agents`)],
      ["/v1/agents", "get", await anyone.get("/v1/agents")],
      ["/v1/vectors", "get", await person.get("/v1/vectors")],
      ["/v1/teams", "post", await person.post("/v1/teams", { name: "" })],
      ["/v1/teams/{id}", "get", await anyone.get(`/v1/teams/${team.id}`)],
    ];
    for (const [path, method, answer] of answers) {
      const place =
        answer.status < 400
          ? `paths/${path.replaceAll("/", "~1")}/${method}/responses/${answer.status}`
          : `components/responses/Error${answer.status}`;
      const pointer = `#/${place}/content/application~1json/schema`;
      const fits = ajv.getSchema(`description${encodeURI(pointer)}`);
      expect(fits, `${method} ${path} ${answer.status}`).toBeDefined();
      fits?.(answer.body);
      expect(fits?.errors ?? null, `${method} ${path}`).toBeNull();
    }
  });
});

describe("the page", () => {
  test("shows every call, without a script or any other site's content", async () => {
    const { status, headers, text } = await anyone.get("/v1/docs");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<script|\son\w+=|<(link|img|iframe)\b|javascript:/i);
    for (const { operation } of operations) expect(text).toContain(`id="${operation.operationId}"`);
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !text.includes(`id="${id}"`))).toEqual([]);
  });
});
