// Owns the schemas of Amazon SNS's messages, and of the Amazon SES reports in them.
import { z } from "@hono/zod-openapi";

const text = (max: number) => z.string().max(max);

/** Other fields are neither signed nor read. */
export const snsMessage = z
  .object({
    Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
    MessageId: text(100).min(1),
    TopicArn: text(400),
    Subject: text(1000)
      .nullish()
      .transform((subject) => subject ?? undefined),
    Message: text(300_000),
    Timestamp: z.iso.datetime(),
    SignatureVersion: z.enum(["1", "2"]),
    Signature: text(2000).regex(/^[A-Za-z0-9+/]+=*$/),
    SigningCertURL: text(2000),
    SubscribeURL: text(4000).optional(),
    Token: text(2000).optional(),
  })
  .openapi("SnsMessage");
export type SnsMessage = z.infer<typeof snsMessage>;

export const received = z.object({ status: z.literal("ok") }).openapi("Received");

const recipient = z.object({ emailAddress: z.string(), diagnosticCode: z.string().optional() });

/** SES uses one of two fields for the kind, depending on how publishing is configured. */
export const sesReport = z.object({
  notificationType: z.string().optional(),
  eventType: z.string().optional(),
  bounce: z
    .object({
      bounceType: z.string(),
      bounceSubType: z.string().optional(),
      bouncedRecipients: z.array(recipient),
    })
    .optional(),
  complaint: z
    .object({
      complaintFeedbackType: z.string().nullish(),
      complainedRecipients: z.array(recipient),
    })
    .optional(),
  delivery: z.object({ recipients: z.array(z.string()) }).optional(),
});
