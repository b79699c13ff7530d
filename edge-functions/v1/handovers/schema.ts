// Owns the schemas of handovers: what a person submits, and what the team sees of it.

import { z } from "@hono/zod-openapi";
import { languageCodes } from "../../../locales/registry.ts";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { message as chatMessage } from "../messages/schema.ts";
import { id, newEmail, pageOf, pageQuery, prose, time, times } from "../router.ts";

/** Version of the text in locales (`chat:handover.consent`). A changed text needs a new version. */
export const consentVersion = "2026-11";
/** Version of the text in Slack's dialog. */
export const slackConsentVersion = "2026-11-slack";

const status = z.enum(["open", "answered", "closed"]);

export const handoverInput = z
  .strictObject({
    email: newEmail.optional().openapi({
      description:
        "Where the answer is sent in addition to the chat. Required for a visitor; for a user the account's email is the default.",
    }),
    message: prose(2000)
      .transform((text) => text.trim())
      .optional()
      .openapi({ type: "string", maxLength: 2000, description: "What the person should know." }),
    consent: z.literal(true).openapi({
      description: "Consent that the team may read the chat and write to the address. Stored with its time.",
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
  agentName: z.string().nullable().openapi({ description: "Null for readers who may not see the agent." }),
  title: z.string().openapi({ description: "The chat's title." }),
  channel: z.string().openapi({ description: "The chat's channel." }),
  status: status.openapi({
    description: "answered: a person has answered, and may answer again until it is closed.",
  }),
  reason: z.enum(["requested", "notFound", "ratedDown"]).openapi({
    description: "The result of the chat's last reply before the request.",
  }),
  email: z.string().nullable().openapi({
    description: "Null: the answer is sent to the account of the chat's person, or only to the chat.",
  }),
  message: z.string(),
  summary: z
    .string()
    .openapi({ description: "The chat's summary, or each question with the start of its reply." }),
  language: z.enum(languageCodes).openapi({ description: "Language of the mails to the person." }),
  consent: z.object({ version: z.string(), at: time }),
  answeredAt: time.nullable().openapi({ description: "Time of the first answer." }),
  closedAt: time.nullable(),
  ...times,
};

export const handover = z.object(shape).openapi("Handover");
export type Handover = z.infer<typeof handover>;

const delivery = z
  .object({
    id: id.openapi({ description: "For the webhook: the event's id." }),
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

/** The fields that a chat shows. */
export const chatHandover = z
  .object({
    isOffered: z.boolean().openapi({ description: "Whether a handover can be requested in this chat." }),
    needsEmail: z.boolean().openapi({ description: "Whether the caller must give an email." }),
    handover: z.union([handover, z.null()]).openapi({ description: "The chat's latest handover." }),
  })
  .openapi("ChatHandover");

export const answerInput = z
  .strictObject({
    content: prose(20_000).refine((text) => text.trim() !== "", refuseAs("required")),
  })
  .openapi("HandoverAnswerInput", { example: { content: "I have looked it up: you have 27 days." } });

export const answered = z.object({ handover, message: chatMessage }).openapi("HandoverAnswer");

const webhookUrl = z
  .string()
  .trim()
  .max(500)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), refuseAs("url"));

const settings = {
  isOffered: z.boolean().openapi({ description: "Whether agents offer a handover." }),
  emails: z
    .array(newEmail)
    .max(10)
    .openapi({
      description:
        "Recipients of the mails. Empty: the team's owners. Members who leave the team are removed.",
      example: ["support@example.com"],
    }),
  webhookUrl: webhookUrl.nullable().openapi({
    description: "Receives `handover.created` as a POST, signed in Parley-Signature. Null: no webhook.",
    example: "https://example.com/parley",
  }),
};

export const handoverSettings = z
  .object({
    ...settings,
    hasSecret: z.boolean(),
    secret: z.string().optional().openapi({
      description: "Signs events. Shown only in the response that created it.",
    }),
    lastDelivery: z.union([delivery, z.null()]).openapi({ description: "The webhook's last delivery." }),
  })
  .openapi("HandoverSettings");
export type HandoverSettings = z.infer<typeof handoverSettings>;

export const settingsUpdate = z.strictObject(settings).partial().openapi("HandoverSettingsUpdate");
export type SettingsUpdate = z.infer<typeof settingsUpdate>;
