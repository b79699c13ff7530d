// Owns the shapes of handovers: what somebody leaves for a person of the team, and what the team sees of it.

import { z } from "@hono/zod-openapi";
import { languageCodes } from "../../../locales/registry.ts";
import { refusedAs } from "../../_shared/requests/invalid-fields.ts";
import { message as chatMessage } from "../messages/schema.ts";
import { id, newEmail, pageOf, pageQuery, prose, time, times } from "../router.ts";

/** Of the text in locales (`chat:handover.consent`): another text is another version. */
export const consentVersion = "2026-11";
/** Of what Slack's dialog says. */
export const slackConsentVersion = "2026-11-slack";

const status = z.enum(["open", "answered", "closed"]);

export const handoverInput = z
  .strictObject({
    email: newEmail.optional().openapi({
      description:
        "Where the answer goes beside the chat. A visitor must give one; for somebody with an account it is the account's where none is given.",
    }),
    message: prose(2000)
      .transform((text) => text.trim())
      .optional()
      .openapi({ type: "string", maxLength: 2000, description: "What the person should know." }),
    consent: z.literal(true).openapi({
      description: "That the team may read the chat and write to the address. Kept with its time.",
    }),
  })
  .openapi("HandoverInput", {
    example: { email: "ada@example.com", message: "Please call me.", consent: true },
  });
export type HandoverInput = z.infer<typeof handoverInput>;

const shape = {
  id,
  teamId: id,
  chatId: id,
  agentId: id,
  agentName: z.string().nullable().openapi({ description: "Null for those who may not see the agent." }),
  title: z.string().openapi({ description: "The chat's." }),
  channel: z.string().openapi({ description: "The chat's." }),
  status: status.openapi({
    description: "answered: by a person, who may go on answering until it is closed.",
  }),
  reason: z.enum(["requested", "notFound", "ratedDown"]).openapi({
    description: "How the last reply of the chat was when a person was asked for.",
  }),
  email: z.string().nullable().openapi({
    description: "Null: the answer goes to the account of the chat's person, or into the chat alone.",
  }),
  message: z.string(),
  summary: z.string().openapi({ description: "The chat's, or each question with how its reply begins." }),
  language: z.enum(languageCodes).openapi({ description: "In which the person is written to." }),
  consent: z.object({ version: z.string(), at: time }),
  answeredAt: time.nullable().openapi({ description: "When the first answer was given." }),
  closedAt: time.nullable(),
  ...times,
};

export const handover = z.object(shape).openapi("Handover");
export type Handover = z.infer<typeof handover>;

const delivery = z
  .object({
    id: id.openapi({ description: "Of the webhook: the event's." }),
    kind: z.enum(["teamMail", "webhook", "answerMail", "slack"]),
    status: z.enum(["queued", "delivered", "failed"]),
    attempts: z.int(),
    lastStatus: z.int().nullable().openapi({ description: "The HTTP status of the webhook's last attempt." }),
    error: z.string().nullable().openapi({ description: "Why the last attempt failed, as a code." }),
    nextAttemptAt: time.nullable(),
    deliveredAt: time.nullable(),
    createdAt: time,
  })
  .openapi("HandoverDelivery");
export type Delivery = z.infer<typeof delivery>;

export const oneHandover = z
  .object({ ...shape, deliveries: z.array(delivery).openapi({ description: "Newest first." }) })
  .openapi("HandoverWithDeliveries");

export const handoverList = pageOf(handover).openapi("HandoverList");

export const handoversQuery = pageQuery.extend({
  status: status.optional(),
  agentId: z.uuid().optional(),
});
export type HandoversQuery = z.infer<typeof handoversQuery>;

/** What a chat shows of it. */
export const chatHandover = z
  .object({
    isOffered: z.boolean().openapi({ description: "Whether a person can be asked for in this chat." }),
    needsEmail: z.boolean().openapi({ description: "Whether whoever reads this must leave an address." }),
    handover: z.union([handover, z.null()]).openapi({ description: "The latest one of the chat." }),
  })
  .openapi("ChatHandover");

export const answerInput = z
  .strictObject({
    content: prose(20_000).refine((text) => text.trim() !== "", refusedAs("required")),
  })
  .openapi("HandoverAnswerInput", { example: { content: "I have looked it up: you have 27 days." } });

export const answered = z.object({ handover, message: chatMessage }).openapi("HandoverAnswer");

const webhookUrl = z
  .string()
  .trim()
  .max(500)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), refusedAs("url"));

const settings = {
  isOffered: z.boolean().openapi({ description: "Whether agents offer a way to a person." }),
  emails: z
    .array(newEmail)
    .max(10)
    .openapi({
      description: "Who gets a mail; empty: the team's owners. Whoever leaves the team is taken out.",
      example: ["support@example.com"],
    }),
  webhookUrl: webhookUrl.nullable().openapi({
    description: "Gets `handover.created` as a POST, signed in Parley-Signature; null: nobody does.",
    example: "https://example.com/parley",
  }),
};

export const handoverSettings = z
  .object({
    ...settings,
    hasSecret: z.boolean(),
    secret: z.string().optional().openapi({
      description: "Signs events. Shown once: in the answer that made it.",
    }),
    lastDelivery: z.union([delivery, z.null()]).openapi({ description: "Of the webhook." }),
  })
  .openapi("HandoverSettings");
export type HandoverSettings = z.infer<typeof handoverSettings>;

export const settingsUpdate = z.strictObject(settings).partial().openapi("HandoverSettingsUpdate");
export type SettingsUpdate = z.infer<typeof settingsUpdate>;
