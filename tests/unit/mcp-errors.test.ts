// An unexpected error of an MCP tool: the operator reads its cause in the log, and the caller does not.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, test, vi } from "vitest";
import type { Caller } from "../../edge-functions/_shared/requests/auth.ts";
import { serverFor } from "../../edge-functions/v1/mcp/tools.ts";
import { stubSettings } from "../support/function-settings.ts";

test("an unexpected error is logged with its cause, which the caller does not learn", async () => {
  stubSettings();
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const [near, far] = InMemoryTransport.createLinkedPair();
  const claims = new Proxy(
    {},
    {
      get() {
        throw new TypeError('column "secret_plan" does not exist');
      },
    },
  );
  // Only its failure is of interest.
  const caller = { kind: "apiKey", claims } as unknown as Caller;
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([serverFor(caller, [], new AbortController().signal).connect(far), client.connect(near)]);
  const { isError, content } = await client.callTool({ name: "list_agents", arguments: {} });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain("UNEXPECTED_ERROR: ");
  expect(JSON.stringify(content)).not.toContain("secret_plan");
  expect(JSON.stringify(logged.mock.calls)).toContain("secret_plan");
  await client.close();
});
