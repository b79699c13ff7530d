// Health, error responses and CORS: the parts of the API that every caller meets.
import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { anyone, as, newAdmin, newPerson } from "../support/api.ts";
import { findStack } from "../support/stack.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test("anyone learns that the service is up, and nothing else", async () => {
  const { status, body, headers } = await anyone.get("/v1/health/public");
  expect([status, body]).toEqual([200, { status: "ok", version: "1.0" }]);
  expect(headers.get("x-request-id")).toMatch(uuid);
});

test("the doctor reaches every function, and ends", async () => {
  const command = ["--import", "tsx", "supabase/local/doctor/main.ts"];
  const { killed, output } = await new Promise<{ killed?: boolean; output: string }>((done) => {
    execFile(process.execPath, command, { timeout: 5 * 60_000 }, (problem, output) =>
      done({ killed: problem?.killed, output }),
    );
  });
  expect(killed).not.toBe(true);
  for (const name of ["v1", "indexing", "slack"]) expect(output).toContain(`The function ${name} answers.`);
  // Other tests damage files meanwhile, so that it may find some.
  expect(output).toMatch(/^(Nothing is|One thing is|\d+ things are) wrong/m);
});

test("platform admins and the service see every dependency", async () => {
  const service = as((await findStack()).serviceKey);
  for (const caller of [await newAdmin(), service]) {
    const { status, body } = await caller.get("/v1/health");
    expect(status).toBe(200);
    expect(Object.keys(body.dependencies).sort()).toEqual(["auth", "database", "mail", "models", "storage"]);
    for (const state of Object.values(body.dependencies)) {
      expect(state).toEqual({ status: "ok", durationMs: expect.any(Number) });
    }
    expect(body).toMatchObject({ status: "ok", version: "1.0" });
  }
});

test("others do not see the dependencies", async () => {
  const person = await newPerson();
  for (const path of ["/v1/health", "/v1/health/debug-sentry"]) {
    expect(await anyone.get(path)).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
    expect(await person.get(path)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  }
});

test("the deliberate error looks like any other: an id, no stack", async () => {
  const { status, body, text } = await (await newAdmin()).get("/v1/health/debug-sentry");
  expect(status).toBe(500);
  expect(body).toEqual({
    code: "UNEXPECTED_ERROR",
    message: "An unexpected error occurred. Please try again later.",
    requestId: expect.stringMatching(uuid),
  });
  expect(text).not.toContain("asked for");
});

test("a request keeps a valid id that it came with", async () => {
  const given = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42";
  const kept = await anyone.get("/v1/nothing", { headers: { "X-Request-Id": given } });
  expect([kept.headers.get("x-request-id"), kept.body.requestId]).toEqual([given, given]);
  const forged = await anyone.get("/v1/nothing", { headers: { "X-Request-Id": "drop table" } });
  expect(forged.body.requestId).toMatch(uuid);
});

test("an unknown path gives 404, another method 405 with the allowed ones", async () => {
  expect(await anyone.get("/v1/nothing")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  const { status, body, headers } = await anyone.delete("/v1/auth/login");
  expect([status, body.code, headers.get("allow")]).toEqual([405, "METHOD_NOT_ALLOWED", "POST"]);
  const team = await anyone.call("PATCH", "/v1/teams/demo");
  expect(team.status).toBe(405);
  expect(team.headers.get("allow")?.split(", ").sort()).toEqual(["DELETE", "GET", "PUT"]);
});

test("so do the paths that Slack calls", async () => {
  expect((await anyone.get("/slack/nothing")).status).toBe(404);
  const allowed = {
    "/slack/events": "POST",
    "/slack/interactions": "POST",
    "/slack/tick": "POST",
    "/slack/oauth": "GET",
  };
  for (const [path, methods] of Object.entries(allowed)) {
    const { status, body, headers } = await anyone.call("DELETE", path);
    expect([path, status, body.code, headers.get("allow")]).toEqual([
      path,
      405,
      "METHOD_NOT_ALLOWED",
      methods,
    ]);
  }
});

test("so does a page that takes no form", async () => {
  const { webUrl } = await findStack();
  const sent = await fetch(`${webUrl}/privacy-policy`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: webUrl },
    body: "name=Ada",
  });
  expect([sent.status, sent.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("an answer to OPTIONS has an id, too", async () => {
  const { status, headers } = await anyone.call("OPTIONS", "/v1/teams");
  expect(status).toBe(204);
  expect(headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
});

test("an answer to HEAD claims no other length than that of GET", async () => {
  const get = await anyone.get("/v1/health/public");
  const head = await anyone.call("HEAD", "/v1/health/public");
  expect(head).toMatchObject({ status: 200, text: "" });
  expect([null, get.headers.get("content-length")]).toContain(head.headers.get("content-length"));
});

test("any origin may call with a token, never with credentials", async () => {
  const { headers } = await anyone.get("/v1/health/public", {
    headers: { Origin: "https://elsewhere.example" },
  });
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  const preflight = await anyone.call("OPTIONS", "/v1/teams", null, {
    headers: {
      Origin: "https://elsewhere.example",
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
  expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
  expect(preflight.headers.get("access-control-allow-headers")).toContain("idempotency-key");
  expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
});
