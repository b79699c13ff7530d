// Owns a fake Slack: the Web API, the consent page and the Events API's requests over HTTP, with Slack's own error codes. It records
// messages and counts calls per method, fails on demand, and does not know Parley.
import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SlackConversations } from "./slack-conversations.ts";
import { SlackTokens } from "./slack-tokens.ts";

export type Fields = Record<string, string>;
export type MethodAnswer = { ok: boolean; error?: string } & Record<string, unknown>;
export type Call = { method: string; args: Fields; token: string; at: number };

/** How a call fails. Every call of the method takes the next of the queue; an empty queue means success. */
export type Trouble =
  | { how: "rate limit"; seconds: number }
  | { how: "error"; code: string }
  | { how: "server error" }
  /** Closes the connection without any effect. */
  | { how: "hang up" }
  /** Takes effect, but the response is lost. */
  | { how: "lose the answer" }
  /** Takes effect; the response waits for release(). */
  | { how: "hold" }
  /** Waits for release() before it does what it is called for. */
  | { how: "wait" };

export interface SlackUser {
  team_id?: string;
  is_bot?: boolean;
  deleted?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  is_stranger?: boolean;
  locale?: string;
}

export interface SlackFakeOptions {
  port?: number;
  clientId?: string;
  clientSecret?: string;
  signingSecret?: string;
}

export class SlackFake {
  readonly calls: Call[] = [];
  readonly users = new Map<string, SlackUser>();
  readonly tokens: SlackTokens;
  readonly conversations = new SlackConversations();
  readonly signingSecret: string;
  readonly #server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void this.#handle(request, response),
  );
  readonly #troubles = new Map<string, Trouble[]>();
  #held: (() => void)[] = [];

  constructor(options: SlackFakeOptions = {}) {
    this.signingSecret = options.signingSecret ?? "signing-secret";
    this.tokens = new SlackTokens(options.clientId ?? "1.2", options.clientSecret ?? "client-secret");
  }

  get url(): string {
    // A server that listens on TCP has such an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The value for SLACK_API_URL. */
  get apiUrl(): string {
    return `${this.url}/api`;
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", resolve);
    });
    return this;
  }

  async stop(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Queues failures for the next calls of a method. */
  next(method: string, ...troubles: Trouble[]): void {
    this.#troubles.set(method, [...(this.#troubles.get(method) ?? []), ...troubles]);
  }

  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  callsOf(method: string): Call[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** Clears messages and counts; tokens and people stay. */
  clear(): void {
    this.calls.length = 0;
    this.#troubles.clear();
    this.conversations.clear();
    this.release();
  }

  /** Slack's signature headers for a body. */
  sign(body: string, atMs = Date.now(), secret = this.signingSecret): Record<string, string> {
    const timestamp = String(Math.floor(atMs / 1000));
    const digest = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
    return { "X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": `v0=${digest}` };
  }

  /** An event_callback as Slack sends it. @param more overrides, such as the event_id of a repeated event */
  envelope(workspace: string, event: Record<string, unknown>, more: Record<string, unknown> = {}): string {
    return JSON.stringify({
      token: "legacy",
      team_id: workspace,
      api_app_id: "A0PARLEY",
      event,
      type: "event_callback",
      event_id: `Ev${randomUUID().replaceAll("-", "").slice(0, 16).toUpperCase()}`,
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [{ team_id: workspace, user_id: this.tokens.botOf(workspace), is_bot: true }],
      ...more,
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const body = await text(request);
    if (url.pathname === "/oauth/v2/authorize") return this.tokens.consentPage(url, response);
    if (url.pathname === "/favicon.ico") return void response.writeHead(204).end();
    const method = /^\/api\/([\w.]+)$/.exec(url.pathname)?.[1];
    if (!method) return void response.writeHead(404).end();
    const args = Object.fromEntries(new URLSearchParams(body));
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    this.calls.push({ method, args, token, at: Date.now() });
    const trouble = this.#troubles.get(method)?.shift();
    if (trouble?.how === "hang up") return void request.socket.destroy();
    if (trouble?.how === "server error")
      return void response.writeHead(503).end("<html>Slack is down</html>");
    if (trouble?.how === "error") return answer(response, { ok: false, error: trouble.code });
    if (trouble?.how === "rate limit") {
      response.setHeader("Retry-After", String(trouble.seconds));
      return answer(response, { ok: false, error: "ratelimited" }, 429);
    }
    if (trouble?.how === "wait") await new Promise<void>((resolve) => this.#held.push(resolve));
    const result = this.#perform(method, args, token);
    if (trouble?.how === "lose the answer") return void request.socket.destroy();
    if (trouble?.how === "hold") await new Promise<void>((resolve) => this.#held.push(resolve));
    answer(response, result);
  }

  #perform(method: string, args: Fields, token: string): MethodAnswer {
    if (method === "oauth.v2.access") return this.tokens.exchange(args);
    const workspace = this.tokens.workspaceOf(token);
    if (typeof workspace !== "string") return workspace;
    switch (method) {
      case "auth.revoke":
        this.tokens.revoke(workspace);
        return { ok: true, revoked: true };
      case "auth.test":
        return { ok: true, team_id: workspace };
      case "users.info": {
        const user = this.users.get(args.user ?? "");
        if (!user) return { ok: false, error: "user_not_found" };
        return { ok: true, user: { id: args.user, team_id: workspace, ...user } };
      }
      default:
        return this.conversations.perform(method, args, this.tokens.botOf(workspace));
    }
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function answer(response: ServerResponse, body: MethodAnswer, status = 200): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}
