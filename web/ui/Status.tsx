// A status (index, task, invitation) as a dot and a label, from app:status.*.
import { useTranslation } from "#translations";
import type { Tone } from "./Badge.tsx";

const tones: Record<string, Tone> = {
  none: "neutral",
  queued: "accent",
  indexing: "accent",
  running: "accent",
  waiting: "careful",
  streaming: "accent",
  building: "accent",
  ready: "good",
  active: "good",
  succeeded: "good",
  complete: "good",
  accepted: "good",
  stale: "careful",
  stopping: "careful",
  pending: "careful",
  lost: "careful",
  finished: "neutral",
  stopped: "neutral",
  disabled: "neutral",
  rejected: "neutral",
  failed: "bad",
};

const dots: Record<Tone, string> = {
  neutral: "bg-line-strong",
  accent: "bg-accent",
  good: "bg-good",
  careful: "bg-careful",
  bad: "bg-bad",
};

export function Status({ value }: { value: string }) {
  const { t } = useTranslation("app");
  const tone = tones[value] ?? "neutral";
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden className={`size-1.5 rounded-full ${dots[tone]}`} />
      {t(`status.${value}`)}
    </span>
  );
}
