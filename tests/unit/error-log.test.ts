// What the log says about an error that no handler expected.
import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { observe } from "../../edge-functions/_shared/operation/observe.ts";
import { renderError } from "../../edge-functions/v1/problems.ts";
import type { AppEnv } from "../../edge-functions/v1/router.ts";

test("an unexpected error's line has the declared route, and no value of the address", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  const app = new Hono<AppEnv>();
  app.use("*", observe("v1"));
  app.onError(renderError);
  app.get("/v1/documents/external/:id", () => {
    throw new Error("broken");
  });
  const answer = await app.request("/v1/documents/external/ada@example.com?token=unsaid");
  expect(answer.status).toBe(500);
  const { requestId } = (await answer.json()) as { requestId: string };
  const line = lines.find((one) => one.includes("UNEXPECTED_ERROR")) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({
    level: "error",
    message: "UNEXPECTED_ERROR",
    requestId,
    method: "GET",
    route: "/v1/documents/external/:id",
    error: expect.stringContaining("broken"),
  });
  expect(line).not.toMatch(/ada@example|unsaid/);
});
