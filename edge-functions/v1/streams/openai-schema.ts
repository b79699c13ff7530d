// Owns the schemas of OpenAI's chat-completions protocol, as far as it is supported here. Its other fields are accepted and ignored,
// because clients send them by default. Source: platform.openai.com/docs/api-reference/chat.
import { z } from "@hono/zod-openapi";
import { searchedFor, suggestions, support } from "../messages/schema.ts";
import { lastAsks } from "./schema.ts";

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const content = z
  .union(
    [z.string(), z.array(textPart).transform((parts) => parts.map(({ text }) => text).join(""))],
    "Send a text, or a list of parts of type text: an agent takes no images and no audio.",
  )
  .openapi({ type: "string", description: "Text, or parts of type text." });

const chatMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: content.nullable().optional(),
});

export const completionInput = z
  .looseObject({
    model: z.uuid("The model is the id of an agent."),
    messages: z
      .array(chatMessage)
      .min(1)
      // A client sends its whole conversation each time: a long one goes on.
      .max(10_000)
      .refine((all) => all.at(-1)?.role === "user" && Boolean(all.at(-1)?.content?.trim()), lastAsks)
      .openapi({
        description:
          "Oldest first; the last is the question. Only messages of the user and the assistant count: the agent has its own instructions and tools.",
      }),
    stream: z.boolean().nullable().optional(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullable().optional(),
    n: z.literal(1, "One choice at a time.").nullable().optional(),
  })
  .openapi("ChatCompletionInput");
export type CompletionInput = z.infer<typeof completionInput>;

const usage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });

export const completion = z
  .object({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
        logprobs: z.null(),
        finish_reason: z.literal("stop"),
      }),
    ),
    usage: usage.optional(),
    citations: z.array(z.unknown()).openapi({ description: "Our extension: the sources of the marks [n]." }),
    searchedFor,
    support: support.nullable(),
    suggestions,
  })
  .openapi("ChatCompletion");
export type Completion = z.infer<typeof completion>;

export const model = z
  .object({ id: z.string(), object: z.literal("model"), created: z.int(), owned_by: z.string() })
  .openapi("Model");
export const modelList = z.object({ object: z.literal("list"), data: z.array(model) }).openapi("ModelList");
