// Owns the MCP endpoint: streamable HTTP without sessions, one JSON response per request. Must not hold tools.
import { z } from "@hono/zod-openapi";
// The package declares its types under names without ".js", which Deno does not resolve.
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { asCaller } from "../../_shared/database/db.ts";
import { env } from "../../_shared/env.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { routes } from "../route.ts";
import { addressesOf, jsonBody, router } from "../router.ts";
import { serverFor } from "./tools.ts";

const route = routes({ tags: ["MCP"] });

/** A batch counts as one request against the limits, and its messages are answered at the same time. */
const mostMessages = 10;
const single = z.looseObject({ jsonrpc: z.literal("2.0"), method: z.unknown().optional() });
const message = z.union([single, z.array(single).min(1).max(mostMessages)]).openapi("McpMessage", {
  type: "object",
  description: `One or up to ${mostMessages} JSON-RPC 2.0 messages, as the Model Context Protocol defines them.`,
  example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
});

/** Mounted at /v1/mcp. */
export const mcp = router().openapi(
  route({
    method: "post",
    path: "/",
    answersAnew: true,
    summary: "Use the team's knowledge bases and agents over the Model Context Protocol",
    description:
      "For any MCP client: streamable HTTP, no session, an API key or an access token as the bearer token. Tools: list_agents, " +
      "list_knowledges, search_knowledge, read_document, ask_agent.",
    request: { body: jsonBody(message) },
    responses: {
      200: { description: "OK", content: { "application/json": { schema: z.unknown() } } },
      202: { description: "A notification was accepted" },
    },
  }),
  async (c) => {
    refuseForeignPages(c.req.header("Origin"));
    // Each tool checks its own access. This check keeps a revoked key from listing the tools.
    if (c.var.caller.kind === "apiKey") await asCaller(c.var.caller.claims, (tx) => tx`select 1`);
    const parsedBody = withoutCancellations(c.req.valid("json"));
    if (!parsedBody) return c.body(null, 202);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = serverFor(c.var.caller, addressesOf(c), c.req.raw.signal);
    await server.connect(transport);
    try {
      const headers = new Headers(c.req.raw.headers);
      // The answer is always JSON, so a client that names no stream of events, or nothing at all, can read it too.
      headers.set("Accept", "application/json, text/event-stream");
      const request = new Request(c.req.url, { method: "POST", headers });
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  },
);

/**
 * Without a session, a cancellation can only name a message of its own batch, whose answer the package would then wait for without end.
 * @returns undefined when nothing is left
 */
function withoutCancellations(given: z.infer<typeof message>) {
  const left = [given].flat().filter(({ method }) => method !== "notifications/cancelled");
  if (left.length === 0) return undefined;
  return Array.isArray(given) ? left : left[0];
}

/** Required by the protocol against DNS rebinding: no foreign page may talk to an MCP server. Programs send no Origin. */
function refuseForeignPages(origin: string | undefined): void {
  if (origin === undefined || origin === new URL(env().WEB_URL).origin) return;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) return;
  throw new ApiError("FORBIDDEN", "This page may not use the MCP server.");
}
