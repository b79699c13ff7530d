// Owns the look of a handover's status and of its deliveries.
import type { Tone } from "#web/ui/Badge.tsx";

export const statusTones: Record<string, Tone> = {
  open: "accent",
  answered: "good",
  closed: "neutral",
  queued: "careful",
  delivered: "good",
  failed: "bad",
};
