// Owns the subset of OpenAI's protocol that this server speaks: what it accepts, and its errors. Contains no model.
// Source: https://platform.openai.com/docs/api-reference (embeddings, chat completions, errors).
import { z } from "zod";
import { maxDimensions } from "./hash.ts";

const maxInputs = 2048;

export const embeddingsRequest = z.object({
  model: z.string(),
  input: z.union([
    z.string().min(1, "must not be empty"),
    z.array(z.string().min(1, "must not be empty")).min(1).max(maxInputs),
  ]),
  encoding_format: z.enum(["float", "base64"]).default("float"),
  dimensions: z.int().min(1).max(maxDimensions).optional(),
});

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const message = z.object({
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: z
    .union([z.string(), z.array(textPart)])
    .transform((content) =>
      typeof content === "string" ? content : content.map((part) => part.text).join("\n"),
    ),
});

export const chatRequest = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequest>;

/** An error in OpenAI's format: `{ error: { message, type, param, code } }`. */
export class ProtocolError extends Error {
  constructor(
    readonly status: 400 | 404 | 405 | 413 | 500,
    message: string,
    readonly param: string | null = null,
    readonly code: string | null = null,
  ) {
    super(message);
  }

  body() {
    const type = this.status === 500 ? "server_error" : "invalid_request_error";
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}

export function modelNotFound(model: string): ProtocolError {
  return new ProtocolError(404, `The model '${model}' does not exist.`, "model", "model_not_found");
}

/** @throws ProtocolError that names the first invalid field */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const param = issue?.path.join(".") || null;
  throw new ProtocolError(400, `Invalid '${param ?? "body"}': ${issue?.message ?? "malformed"}.`, param);
}
