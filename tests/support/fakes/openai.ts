// Owns a fake model provider: an HTTP server that speaks OpenAI's protocol and fails on demand. The test decides its answers; it does not
// know its callers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dialect } from "./provider-dialects.ts";

/** How to answer a request. Every request takes the next of the queue; an empty queue means "well". */
export type Behaviour =
  | { how: "well" }
  | {
      how: "status";
      status: number;
      code?: string;
      param?: string;
      message?: string;
      headers?: Record<string, string>;
    }
  /** Accepts the request and never responds. */
  | { how: "silence" }
  /** Closes the connection before responding. */
  | { how: "hang up" }
  /** Stalls the stream after this many pieces. */
  | { how: "stall"; after: number }
  /** Drops the connection after this many pieces. */
  | { how: "drop"; after: number }
  /** Ends the stream properly after this many pieces, but without a finish_reason. */
  | { how: "truncate"; after: number }
  | { how: "error in stream"; after: number }
  /** Ignores that a stream was asked for. */
  | { how: "whole" }
  /** Streams these events, or lines as they are, and nothing else. */
  | { how: "events"; events: unknown[] }
  | { how: "malformed stream" }
  | { how: "empty choices" }
  | { how: "content filter" }
  | { how: "html" }
  | { how: "wrong dimensions" }
  | { how: "not a number" }
  | { how: "zeros" }
  | { how: "too few" }
  | { how: "shuffled" };

type RecordedRequest = {
  path: string;
  authorization: string | undefined;
  /** Azure's API key header. */
  apiKey: string | undefined;
  body: Record<string, unknown>;
  at: number;
};

export type FakeCall = { id?: string; name: string; arguments: string };

export type OpenAiFake = {
  baseUrl: string;
  requests: RecordedRequest[];
  /** Appends to the queue. */
  next(...behaviours: Behaviour[]): void;
  /** Empties the queue. */
  forget(): void;
  /** The chat model's reply; a function receives the request. Null: the model is overloaded. */
  reply: string | ((body: Record<string, unknown>) => string | null);
  /** The chat model's tool calls before its reply; none without tools in the request, or with tool_choice "none". */
  calls: (body: Record<string, unknown>) => FakeCall[];
  /** Text in the same message, before the calls. */
  saysBeforeCalls: string;
  /** What another provider than OpenAI refuses. */
  dialect: Dialect;
  /** Refuses within the stream, as LM Studio does. */
  refusesInStream: boolean;
  /** Beside each tool call, which the provider wants back. */
  extraOfCalls: unknown;
  /** Sent before the reply: a list of parts where a model thinks. */
  contentBefore: unknown;
  /** Refuses requests with tools, as some models do. */
  refusesTools: boolean;
  /** Reports token usage; not every server does. */
  reportsUsage: boolean;
  /** The length of embeddings when a request does not set it. */
  dimensions: number;
  /** The list of GET /api/tags, Ollama's endpoint; null: not an Ollama server. GET /v1/models lists the same. */
  models: string[] | null;
  /** The delay before each reply, in milliseconds. */
  latencyMs: number;
  /** The number of replies that the client aborted. */
  aborted: number;
  stop(): Promise<void>;
};

/** @param port a free one by default */
export async function startOpenAiFake(port = 0): Promise<OpenAiFake> {
  const queue: Behaviour[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void handle(request, response));
  const fake: OpenAiFake = {
    baseUrl: "",
    requests: [],
    next: (...behaviours) => void queue.push(...behaviours),
    forget: () => void queue.splice(0),
    reply: "The sky is blue [1].",
    calls: () => [],
    saysBeforeCalls: "",
    dialect: () => undefined,
    refusesInStream: false,
    extraOfCalls: undefined,
    contentBefore: undefined,
    refusesTools: false,
    reportsUsage: true,
    dimensions: 8,
    models: null,
    latencyMs: 0,
    aborted: 0,
    stop: () => stop(server),
  };

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = JSON.parse((await text(request)) || "{}");
    const path = request.url ?? "";
    const { authorization, "api-key": apiKey } = request.headers;
    fake.requests.push({ path, authorization, apiKey: apiKey?.toString(), body, at: Date.now() });
    response.on("close", () => {
      if (!response.writableEnded) fake.aborted += 1;
    });
    const behaviour = queue.shift() ?? { how: "well" };
    if (fake.latencyMs > 0) await sleep(fake.latencyMs);
    if (failsAsAWhole(response, behaviour)) return;
    if (request.method === "GET") return listModels(response, path, fake.models);
    const refused = fake.dialect(body);
    if (refused && body.stream && fake.refusesInStream) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.end(`event: error\ndata: ${JSON.stringify({ error: refused.body })}\n\n`);
    }
    if (refused) return sendJson(response, refused.body, refused.status);
    if (path.endsWith("/embeddings")) return sendJson(response, embeddings(body, behaviour, fake.dimensions));
    const wrong = wrongTools(body, fake.refusesTools);
    if (wrong) return sendJson(response, { error: { message: wrong, type: "invalid_request_error" } }, 400);
    const calls = Array.isArray(body.tools) && body.tool_choice !== "none" ? fake.calls(body) : [];
    if (!showsPictures(body)) {
      const error = {
        message: "Invalid image data.",
        type: "invalid_request_error",
        code: "invalid_image_url",
      };
      return sendJson(response, { error }, 400);
    }
    const reported = fake.reportsUsage ? body : { ...body, stream_options: undefined };
    if (calls.length > 0) return sendCalls(response, reported, calls, fake);
    const said = typeof fake.reply === "function" ? fake.reply(body) : fake.reply;
    if (said === null) return sendJson(response, { error: { message: "Overloaded" } }, 503);
    if (body.stream && behaviour.how !== "whole")
      return streamChat(response, reported, said, behaviour, fake.contentBefore);
    return sendJson(response, chat(body, said));
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
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

/** True when a message has image parts, each a data URL of a type that OpenAI accepts. */
function showsPictures({ messages }: Record<string, unknown>): boolean {
  const parts = (Array.isArray(messages) ? messages : []).flatMap(({ content }) =>
    Array.isArray(content) ? content : [],
  );
  return parts.every(
    ({ type, text, image_url: image }) =>
      (type === "text" && typeof text === "string") ||
      (type === "image_url" && /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$/.test(image?.url)),
  );
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
  const { message = `Failed with sk-secret-of-the-account (${status})` } = behaviour;
  const error = { message, type: "error", param, code };
  sendJson(response, { error }, status, headers);
  return true;
}

/** Lists models as Ollama and OpenAI do. */
function listModels(response: ServerResponse, path: string, models: string[] | null) {
  if (models && path === "/api/tags") {
    return sendJson(response, { models: models.map((name) => ({ name, model: name, size: 1 })) });
  }
  if (models && path === "/v1/models") {
    return sendJson(response, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
  }
  return sendJson(response, { error: { message: "Not found" } }, 404);
}

/** Vectors identify their text: the first number is the text's length. */
function embeddings(body: Record<string, unknown>, { how }: Behaviour, usual: number) {
  const inputs = Array.isArray(body.input) ? body.input : [body.input];
  const dimensions = typeof body.dimensions === "number" ? body.dimensions : usual;
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

/** Tool messages that OpenAI's API rejects: results without a call, and calls without a result. */
function wrongTools(body: Record<string, unknown>, refuses: boolean): string | undefined {
  if (refuses && body.tools) return `registry.example/library/${body.model} does not support tools`;
  const open = new Set<unknown>();
  for (const message of (body.messages ?? []) as Record<string, unknown>[]) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) {
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      }
      continue;
    }
    if (open.size > 0) break;
    for (const call of (message.tool_calls ?? []) as Record<string, unknown>[]) open.add(call.id);
  }
  return open.size > 0
    ? "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
    : undefined;
}

/** Sends tool calls; a stream splits their arguments and interleaves the pieces of several calls. */
function sendCalls(
  response: ServerResponse,
  body: Record<string, unknown>,
  calls: FakeCall[],
  { saysBeforeCalls: said, extraOfCalls }: OpenAiFake,
) {
  const whole = calls.map(({ id, ...called }, index) => ({
    index,
    id: id ?? `call_fake_${index}`,
    type: "function",
    function: called,
    ...(extraOfCalls === undefined ? {} : { extra_content: extraOfCalls }),
  }));
  if (!body.stream) {
    const message = {
      role: "assistant",
      content: said || null,
      tool_calls: whole.map(({ index: _at, ...one }) => one),
    };
    const choices = [{ index: 0, message, finish_reason: "tool_calls" }];
    return sendJson(response, { ...head(body, "chat.completion"), choices, usage });
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choices: unknown[], more = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...head(body, "chat.completion.chunk"), choices, ...more })}\n\n`,
    );
  const delta = (tool_calls: unknown[]) => chunk([{ index: 0, delta: { tool_calls }, finish_reason: null }]);
  chunk([{ index: 0, delta: { role: "assistant", content: said || null }, finish_reason: null }]);
  for (const one of whole) delta([{ ...one, function: { name: one.function.name, arguments: "" } }]);
  const pieces = whole.map((one) => one.function.arguments.match(/[\s\S]{1,7}/g) ?? []);
  for (let at = 0; at < Math.max(...pieces.map(({ length }) => length)); at++) {
    for (const [index, own] of pieces.entries()) {
      if (own[at] !== undefined) delta([{ index, function: { arguments: own[at] } }]);
    }
  }
  chunk([{ index: 0, delta: {}, finish_reason: "tool_calls" }]);
  const options = body.stream_options as { include_usage?: boolean } | undefined;
  if (options?.include_usage) chunk([], { usage });
  response.end("data: [DONE]\n\n");
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
  contentBefore: unknown,
) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  const chunk = (choices: unknown[], more = {}) =>
    send({ ...head(body, "chat.completion.chunk"), choices, ...more });
  const { how } = behaviour;
  if (behaviour.how === "events") {
    for (const event of behaviour.events) typeof event === "string" ? response.write(event) : send(event);
    return response.end();
  }
  if (how === "malformed stream") {
    response.write('data: {"choices": [{"delta"\n\n');
    return response.end("data: [DONE]\n\n");
  }
  if (how === "empty choices") {
    chunk([]);
    return response.end("data: [DONE]\n\n");
  }
  if (contentBefore !== undefined)
    chunk([{ index: 0, delta: { content: contentBefore }, finish_reason: null }]);
  const pieces = said.match(/\s*\S+/g) ?? [];
  const limit = "after" in behaviour ? behaviour.after : pieces.length;
  for (const content of pieces.slice(0, limit))
    chunk([{ index: 0, delta: { content }, finish_reason: null }]);
  if (how === "stall") return;
  // Waits until the written bytes are sent before the connection breaks.
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
