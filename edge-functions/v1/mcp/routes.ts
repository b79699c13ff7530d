// Owns the door for MCP clients: streamable HTTP without sessions, one JSON answer per call. Must not hold tools.
import { z } from "@hono/zod-openapi";
// The types of the package stand under names without ".js", which Deno does not guess.
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { asCaller } from "../../_shared/database/db.ts";
import { env } from "../../_shared/env.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { routes } from "../route.ts";
import { addressesOf, jsonBody, router } from "../router.ts";
import { serverFor } from "./tools.ts";

const route = routes({ tags: ["MCP"] });

const message = z
  .union([
    z.looseObject({ jsonrpc: z.literal("2.0") }),
    z.array(z.looseObject({ jsonrpc: z.literal("2.0") })).min(1),
  ])
  .openapi("McpMessage", {
    type: "object",
    description: "A JSON-RPC 2.0 message, or several, as the Model Context Protocol defines them.",
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  });

/** Mounted at /v1/mcp. */
export const mcp = router().openapi(
  route({
    method: "post",
    path: "/",
    summary: "Talk to the team's knowledge and agents over the Model Context Protocol",
    description:
      "For any MCP client: streamable HTTP, no session, an API key or an access token as the bearer. Tools: list_agents, " +
      "list_knowledges, search_knowledge, read_document, ask_agent.",
    request: { body: jsonBody(message) },
    responses: {
      200: { description: "OK", content: { "application/json": { schema: z.unknown() } } },
      202: { description: "A notification was taken in" },
    },
  }),
  async (c) => {
    refuseForeignPages(c.req.header("Origin"));
    // Tools ask for themselves; a key that has ended is not even told which there are.
    if (c.var.caller.kind === "apiKey") await asCaller(c.var.caller.claims, (tx) => tx`select 1`);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = serverFor(c.var.caller, addressesOf(c));
    await server.connect(transport);
    try {
      return await transport.handleRequest(c.req.raw, { parsedBody: c.req.valid("json") });
    } finally {
      await server.close();
    }
  },
);

/** The protocol wants it: a page that somebody happens to have open talks to no MCP server. Programs send no Origin. */
function refuseForeignPages(origin: string | undefined): void {
  if (origin === undefined || origin === new URL(env().WEB_URL).origin) return;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) return;
  throw new ApiError("FORBIDDEN", "This page may not use the MCP server.");
}
