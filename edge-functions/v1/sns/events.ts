// Owns parsing reports of Amazon SES: which addresses they name, and whether those are suppressed. Pure.
import type { z } from "zod";
import { sesReport } from "./schema.ts";

export type MailEvent = {
  email: string;
  kind: "bounce" | "complaint" | "delivery";
  /** True when the address is suppressed because of it. */
  final: boolean;
  detail: string | null;
};

/** The events of a message, one per address. None if it is not a report, such as the first message that SES sends to a topic. */
export function eventsIn(message: string): MailEvent[] {
  const { notificationType, eventType, bounce, complaint, delivery } = reportIn(message);
  const events: MailEvent[] = [];
  switch (notificationType ?? eventType) {
    case "Bounce":
      for (const { emailAddress, diagnosticCode } of bounce?.bouncedRecipients ?? []) {
        const detail = [bounce?.bounceType, bounce?.bounceSubType, diagnosticCode].filter(Boolean).join(": ");
        // Only a permanent bounce means that the address will never accept mail.
        events.push({
          email: emailAddress,
          kind: "bounce",
          final: bounce?.bounceType === "Permanent",
          detail,
        });
      }
      break;
    case "Complaint":
      for (const { emailAddress } of complaint?.complainedRecipients ?? []) {
        const detail = complaint?.complaintFeedbackType ?? null;
        events.push({ email: emailAddress, kind: "complaint", final: detail !== "not-spam", detail });
      }
      break;
    case "Delivery":
      for (const email of delivery?.recipients ?? []) {
        events.push({ email, kind: "delivery", final: false, detail: null });
      }
  }
  return events.flatMap((event) => {
    const email = addressIn(event.email);
    return email
      ? [{ ...event, email, detail: event.detail?.replaceAll("\0", "").slice(0, 1000) ?? null }]
      : [];
  });
}

function reportIn(message: string): z.infer<typeof sesReport> {
  try {
    return sesReport.parse(JSON.parse(message));
  } catch {
    return {};
  }
}

/** The bare address in lower case: SES repeats the mail's header, which may include a name. */
function addressIn(text: string): string | undefined {
  const address = (/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase();
  return /^[^\s@\0]+@[^\s@\0]+$/.test(address) && address.length <= 320 ? address : undefined;
}
