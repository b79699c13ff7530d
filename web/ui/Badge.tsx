// A short label with a tone: a role, a type, a visibility.
import type { ReactNode } from "react";

export type Tone = "neutral" | "accent" | "good" | "careful" | "bad";

const tones: Record<Tone, string> = {
  neutral: "bg-hover text-muted",
  accent: "bg-accent-soft text-accent-ink",
  good: "bg-good-soft text-good",
  careful: "bg-careful-soft text-careful",
  bad: "bg-bad-soft text-bad",
};

export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5 min-w-0 max-w-full items-center gap-1.5 whitespace-nowrap rounded-sm px-1.5 font-medium text-xs ${tones[tone]}`}
    >
      {typeof children === "string" ? <span className="truncate">{children}</span> : children}
    </span>
  );
}
