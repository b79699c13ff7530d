// Owns how the status of a handover and of what it sends looks.
import type { Tone } from "#web/components/Badge.tsx";

export const statusTones: Record<string, Tone> = {
  open: "accent",
  answered: "good",
  closed: "neutral",
  queued: "careful",
  delivered: "good",
  failed: "bad",
};
