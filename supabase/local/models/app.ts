// Owns the HTTP side of the offline model server: OpenAI's paths in front of the built-in models.

import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { countTokens } from "../../../edge-functions/_shared/models/tokens.ts";
import { liveness, readiness } from "../../../edge-functions/_shared/operation/readiness.ts";
import { extractModel, extractReply } from "./extract.ts";
import { defaultDimensions, hashEmbedding, hashModel, spellingModel } from "./hash.ts";
import { byClauses, type Pacing, streamInPieces } from "./pacing.ts";
import {
  type ChatRequest,
  chatRequest,
  embeddingsRequest,
  modelNotFound,
  ProtocolError,
  parse,
} from "./protocol.ts";

const maxBodyBytes = 16 * 1024 * 1024;
const models = [extractModel, hashModel, spellingModel].map((id) => ({
  id,
  object: "model",
  created: 1_767_225_600,
  owned_by: "parley",
}));

/** @param pace how replies are divided and timed while they stream */
export function createApp({ pace = byClauses }: { pace?: (reply: string) => Pacing } = {}): Hono {
  const app = new Hono();
  app.onError((error, c) => refuse(c, error));
  app.notFound((c) =>
    refuse(c, new ProtocolError(404, `Unknown request URL: ${c.req.method} ${c.req.path}.`)),
  );
  app.use(
    "/v1/*",
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: (c) => refuse(c, new ProtocolError(413, "The request body is too large.")),
    }),
  );

  app.get("/health", (c) => c.json({ status: "ok" }));
  app.get("/health/live", liveness);
  app.get("/health/ready", readiness({}));
  app.get("/v1/models", (c) => c.json({ object: "list", data: models }));
  app.get("/v1/models/:id", (c) => {
    const model = models.find(({ id }) => id === c.req.param("id"));
    if (!model) throw modelNotFound(c.req.param("id"));
    return c.json(model);
  });
  app.post("/v1/embeddings", async (c) => embeddings(c, await bodyOf(c)));
  app.post("/v1/chat/completions", async (c) => {
    const request = parse(chatRequest, await bodyOf(c));
    if (request.model !== extractModel) throw modelNotFound(request.model);
    return request.stream ? streamChat(request, pace) : c.json(wholeChat(request));
  });
  return app;
}

function refuse(c: Context, error: unknown): Response {
  if (error instanceof ProtocolError) return c.json(error.body(), error.status);
  console.error(JSON.stringify({ level: "error", message: "models request failed", cause: String(error) }));
  return c.json(new ProtocolError(500, "The server had an error while processing your request.").body(), 500);
}

async function bodyOf(c: Context): Promise<unknown> {
  try {
    return await c.req.json();
  } catch {
    throw new ProtocolError(400, "We could not parse the JSON body of your request.");
  }
}

function embeddings(c: Context, body: unknown): Response {
  const request = parse(embeddingsRequest, body);
  if (![hashModel, spellingModel].includes(request.model)) throw modelNotFound(request.model);
  const inputs = typeof request.input === "string" ? [request.input] : request.input;
  const data = inputs.map((input, index) => {
    const vector = hashEmbedding(input, request.dimensions ?? defaultDimensions, request.model);
    const embedding = request.encoding_format === "float" ? [...vector] : base64(vector);
    return { object: "embedding", index, embedding };
  });
  const tokens = inputs.reduce((total, input) => total + countTokens(input), 0);
  return c.json({
    object: "list",
    data,
    model: request.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

function base64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function answerTo(request: ChatRequest) {
  const content = extractReply(request.messages);
  const prompt = request.messages.reduce((total, message) => total + countTokens(message.content), 0);
  const completion = countTokens(content);
  return {
    content,
    head: {
      id: `chatcmpl-${crypto.randomUUID()}`,
      created: Math.floor(Date.now() / 1000),
      model: extractModel,
    },
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  };
}

function wholeChat(request: ChatRequest) {
  const { content, head, usage } = answerTo(request);
  const message = { role: "assistant", content, refusal: null };
  return {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage,
  };
}

function streamChat(request: ChatRequest, pace: (reply: string) => Pacing): Response {
  const { content, head, usage } = answerTo(request);
  const wantsUsage = request.stream_options?.include_usage === true;
  const common = { ...head, object: "chat.completion.chunk" };
  const event = (fields: object) => `data: ${JSON.stringify({ ...common, ...fields })}\n\n`;
  const chunk = (delta: object, finish: string | null = null) =>
    event({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(wantsUsage ? { usage: null } : {}),
    });
  const { pieces, pauseMs } = pace(content);
  const texts = pieces.map((piece) => chunk({ content: piece }));
  // The protocol's first and last events carry no text, so they leave with the first and the last piece.
  texts[0] = `${chunk({ role: "assistant", content: "" })}${texts[0] ?? ""}`;
  const end = `${chunk({}, "stop")}${wantsUsage ? event({ choices: [], usage }) : ""}data: [DONE]\n\n`;
  texts.push(`${texts.pop()}${end}`);
  return new Response(streamInPieces(texts, pauseMs), {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  });
}
