// Owns a stand-in project's gateway, the single address behind SUPABASE_URL: which key admits whom, the platform's changes to requests, and
// their target. Auth, storage and REST are the local stack's own servers; the functions are the deployed ones (functions.ts).
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { createLite, type Lite } from "../../supabase/local/gateway/lite.ts";
import { createGateway } from "../../supabase/local/gateway/server.ts";
import { reservePort } from "../support/runner/port-offset.mjs";
import { adminUrl } from "./databases.ts";
import type { ProjectKeys } from "./project-keys.ts";

export interface Platform {
  url: string;
  /** Refusals because of a key, as "METHOD path: why". */
  refused: string[];
  /** Functions reported as missing, for a while. */
  closed: Set<string>;
  stop(): Promise<void>;
}

export interface PlatformOptions {
  server: string;
  ref: string;
  keys: ProjectKeys;
  folder: string;
  smtpUrl: string;
  webUrl: string;
  /** A function's port; undefined when it was not deployed. */
  functionPort(name: string): number | undefined;
}

/** Every client's address, the web server's too: functions trust this machine's own address anyway. */
export const callersAddress = "81.2.69.142";

/** Paths served without a key: functions, and URLs with a token of their own. */
const keyless =
  /^\/(?:functions\/v1|auth\/v1\/\.well-known|auth\/v1\/verify|storage\/v1\/object\/(?:public|sign|upload\/sign))\//;

export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { keys } = options;
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...{ port, databaseUrl: adminUrl(options.server, options.ref), jwtSecret: keys.jwtSecret },
    ...{ anonKey: keys.anonJwt, serviceKey: keys.serviceJwt, supabaseUrl: url, webUrl: options.webUrl },
    ...{ smtpUrl: options.smtpUrl, storageDir: join(options.folder, "storage"), functions: {} },
    mailFrom: "Parley <no-reply@parley.test>",
  };
  const lite = await createLite(settings);
  const servers = createGateway(settings, lite);
  const refused: string[] = [];
  const closed = new Set<string>();
  const listener = getRequestListener((incoming) => answer(incoming, { keys, servers, refused }));
  const server = createServer((incoming, outgoing) => {
    const [, name] = /^\/functions\/v1\/([\w-]+)/.exec(incoming.url ?? "") ?? [];
    if (name === undefined) void listener(incoming, outgoing);
    else forward(incoming, outgoing, closed.has(name) ? undefined : options.functionPort(name), refused);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url, refused, closed, stop: () => stop(server, lite) };
}

async function stop(server: Server, lite: Lite): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await lite.close();
}

/** Handles a call to auth, REST or storage. */
async function answer(
  given: Request,
  { keys, servers, refused }: { keys: ProjectKeys; servers: Hono; refused: string[] },
): Promise<Response> {
  const { pathname } = new URL(given.url);
  if (pathname === "/auth/v1/.well-known/jwks.json") return Response.json(keys.jwks);
  const headers = new Headers(given.headers);
  try {
    if (!keyless.test(pathname)) await translate(headers, keys);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    refused.push(`${given.method} ${pathname}: ${message}`);
    return Response.json({ message, hint: "Double check your API key." }, { status: 401 });
  }
  const response = await servers.fetch(new Request(given, { headers }));
  const issued =
    response.headers.get("content-type")?.startsWith("application/json") && /^\/auth\/v1\//.test(pathname);
  return issued ? await keys.sign(response) : asText(response);
}

/** Translates a project's keys to the tokens of its servers. @throws Error for a key or token of another project */
async function translate(headers: Headers, keys: ProjectKeys): Promise<void> {
  const apikey = headers.get("apikey");
  const bearer = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (!apikey) throw new Error("No API key found in request");
  const role = keys.tokenOf(apikey);
  if (!role) throw new Error("Invalid API key");
  headers.set("apikey", role);
  if (bearer === undefined) headers.set("authorization", `Bearer ${role}`);
  else headers.set("authorization", `Bearer ${await keys.translate(bearer)}`);
}

/** The platform serves no HTML pages from its own domain. */
const isPage = (type: string | undefined | null) => /^text\/html\b/i.test(type ?? "");

function asText(response: Response): Response {
  if (!isPage(response.headers.get("content-type"))) return response;
  const headers = new Headers(response.headers);
  headers.set("content-type", "text/plain; charset=utf-8");
  return new Response(response.body, { status: response.status, headers });
}

/** Forwards a call to a function, which sees its own name first in the path. */
function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number | undefined,
  refused: string[],
): void {
  const path = (incoming.url ?? "").slice("/functions/v1".length);
  if (/^Bearer sb_/i.test(incoming.headers.authorization ?? "")) {
    refused.push(`${incoming.method} ${path}: a key that is no token`);
    outgoing.writeHead(401, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ msg: "Invalid JWT" }));
    return;
  }
  if (port === undefined) {
    outgoing.writeHead(404, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ code: "NOT_FOUND", message: "Requested function was not found" }));
    return;
  }
  const before = incoming.headers["x-forwarded-for"];
  const headers = {
    ...incoming.headers,
    "x-forwarded-for": before ? `${before},${callersAddress}` : callersAddress,
    "x-forwarded-proto": "https",
  };
  const upstream = request(
    { host: "127.0.0.1", port, method: incoming.method, path, headers },
    (response) => {
      const answered = { ...response.headers };
      if (incoming.method === "GET" && isPage(answered["content-type"]))
        answered["content-type"] = "text/plain";
      outgoing.writeHead(response.statusCode ?? 502, answered);
      outgoing.flushHeaders();
      response.pipe(outgoing);
    },
  );
  upstream.on("error", () => outgoing.destroy());
  outgoing.on("close", () => upstream.destroy());
  incoming.pipe(upstream);
}
