// Owns a model provider for a test: an HTTP server that speaks OpenAI's protocol and fails on demand. It answers with
// what the test gives it and knows nothing of how it is called.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One way to answer a request. Every request takes the next of the queue; an empty queue means "well". */
export type Behaviour =
  | { how: "well" }
  | { how: "status"; status: number; code?: string; param?: string; headers?: Record<string, string> }
  /** Accepts the request and never says anything. */
  | { how: "silence" }
  /** Closes the connection before any answer. */
  | { how: "hang up" }
  /** A stream that says this many pieces, then nothing more. */
  | { how: "stall"; after: number }
  /** A stream whose connection breaks after this many pieces. */
  | { how: "drop"; after: number }
  /** A stream that ends properly after this many pieces, but without a finish_reason. */
  | { how: "truncate"; after: number }
  | { how: "error in stream"; after: number }
  | { how: "malformed stream" }
  | { how: "empty choices" }
  | { how: "content filter" }
  | { how: "html" }
  | { how: "wrong dimensions" }
  | { how: "not a number" }
  | { how: "zeros" }
  | { how: "too few" }
  | { how: "shuffled" };

export type RecordedRequest = {
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
  at: number;
};

export type OpenAiFake = {
  baseUrl: string;
  requests: RecordedRequest[];
  /** Appends to the queue. */
  next(...behaviours: Behaviour[]): void;
  /** What the chat model says; a function sees the request. */
  reply: string | ((body: Record<string, unknown>) => string);
  /** How long it thinks before each answer. */
  latencyMs: number;
  /** How many replies were cut off by the client. */
  aborted: number;
  stop(): Promise<void>;
};

/** Starts the fake on a free port. */
export async function startOpenAiFake(): Promise<OpenAiFake> {
  const queue: Behaviour[] = [];
  const server = createServer((request, response) => void handle(request, response));
  const fake: OpenAiFake = {
    baseUrl: "",
    requests: [],
    next: (...behaviours) => void queue.push(...behaviours),
    reply: "The sky is blue [1].",
    latencyMs: 0,
    aborted: 0,
    stop: () => stop(server),
  };

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = JSON.parse((await text(request)) || "{}");
    const path = request.url ?? "";
    fake.requests.push({ path, authorization: request.headers.authorization, body, at: Date.now() });
    response.on("close", () => {
      if (!response.writableEnded) fake.aborted += 1;
    });
    const behaviour = queue.shift() ?? { how: "well" };
    if (fake.latencyMs > 0) await sleep(fake.latencyMs);
    if (failsAsAWhole(response, behaviour)) return;
    if (path.endsWith("/embeddings")) return sendJson(response, embeddings(body, behaviour));
    const said = typeof fake.reply === "function" ? fake.reply(body) : fake.reply;
    if (body.stream) return streamChat(response, body, said, behaviour);
    return sendJson(response, chat(body, said));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has such an address.
  fake.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return fake;
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function text(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function failsAsAWhole(response: ServerResponse, behaviour: Behaviour): boolean {
  if (behaviour.how === "silence") return true;
  if (behaviour.how === "hang up") {
    response.socket?.destroy();
    return true;
  }
  if (behaviour.how === "html") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<h1>Welcome to the proxy</h1>");
    return true;
  }
  if (behaviour.how !== "status") return false;
  const { status, code = null, param = null, headers } = behaviour;
  const error = { message: `Failed with sk-secret-of-the-account (${status})`, type: "error", param, code };
  sendJson(response, { error }, status, headers);
  return true;
}

/** Vectors that say which text they are for: the first number is the text's length. */
function embeddings(body: Record<string, unknown>, { how }: Behaviour) {
  const inputs = Array.isArray(body.input) ? body.input : [body.input];
  const dimensions = typeof body.dimensions === "number" ? body.dimensions : 8;
  const data = inputs.map((input, index) => {
    const embedding: unknown[] = new Array(how === "wrong dimensions" ? dimensions + 1 : dimensions).fill(
      0.5,
    );
    embedding[0] = String(input).length;
    if (how === "not a number") embedding[1] = "NaN";
    return { object: "embedding", index, embedding: how === "zeros" ? embedding.fill(0) : embedding };
  });
  if (how === "too few") data.pop();
  if (how === "shuffled") data.reverse();
  return { object: "list", data, model: body.model, usage: { prompt_tokens: 7, total_tokens: 7 } };
}

const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
const head = (body: Record<string, unknown>, object: string) => ({
  id: "chatcmpl-fake",
  object,
  created: 1_700_000_000,
  model: body.model,
});

function chat(body: Record<string, unknown>, said: string) {
  const message = { role: "assistant", content: said, refusal: null };
  return { ...head(body, "chat.completion"), choices: [{ index: 0, message, finish_reason: "stop" }], usage };
}

function streamChat(
  response: ServerResponse,
  body: Record<string, unknown>,
  said: string,
  behaviour: Behaviour,
) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  const chunk = (choices: unknown[], more = {}) =>
    send({ ...head(body, "chat.completion.chunk"), choices, ...more });
  const { how } = behaviour;
  if (how === "malformed stream") {
    response.write('data: {"choices": [{"delta"\n\n');
    return response.end("data: [DONE]\n\n");
  }
  if (how === "empty choices") {
    chunk([]);
    return response.end("data: [DONE]\n\n");
  }
  const pieces = said.match(/\s*\S+/g) ?? [];
  const limit = "after" in behaviour ? behaviour.after : pieces.length;
  for (const content of pieces.slice(0, limit))
    chunk([{ index: 0, delta: { content }, finish_reason: null }]);
  if (how === "stall") return;
  // Waits, so that what was written is on its way before the connection breaks.
  if (how === "drop") return void setTimeout(() => response.socket?.destroy(), 30);
  if (how === "truncate") return response.end("data: [DONE]\n\n");
  if (how === "error in stream") {
    send({ error: { message: "The server had an error", type: "server_error", code: null, param: null } });
    return response.end();
  }
  chunk([{ index: 0, delta: {}, finish_reason: how === "content filter" ? "content_filter" : "stop" }]);
  const options = body.stream_options as { include_usage?: boolean } | undefined;
  if (options?.include_usage) chunk([], { usage });
  response.end("data: [DONE]\n\n");
}
