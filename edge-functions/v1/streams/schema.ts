// Owns the schemas of streams: talking to an agent without a chat.
import { z } from "@hono/zod-openapi";
import { agentDraft } from "../agents/schema.ts";
import { explain, message } from "../messages/schema.ts";
import { prose } from "../router.ts";

const turn = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: prose(200_000),
});
export type Turn = z.infer<typeof turn>;

export const lastAsks = "The last message must be from the user and not empty.";

export const streamInput = z
  .strictObject({
    agentId: z.uuid(),
    messages: z
      .array(turn)
      .min(1)
      .max(200)
      .refine((all) => all.at(-1)?.role === "user" && all.at(-1)?.content.trim() !== "", lastAsks)
      .openapi({ description: "Oldest first; the last is the question." }),
    draft: agentDraft.optional(),
    explain,
  })
  .openapi("StreamInput", {
    example: {
      agentId: "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42",
      messages: [{ role: "user", content: "How many days of leave do I have?" }],
    },
  });

export type StreamInput = z.infer<typeof streamInput>;

/** A message that is not stored. */
const streamedMessage = message
  .pick({
    role: true,
    content: true,
    status: true,
    citations: true,
    usage: true,
    searchedFor: true,
    support: true,
    suggestions: true,
  })
  .openapi("StreamedMessage");
export type StreamedMessage = z.infer<typeof streamedMessage>;
