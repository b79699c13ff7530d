// The icon of a source type, as its connector declares it. Server only.
import type { SourceType } from "#web/request/api-types.ts";

export function SourceIcon({ type: { icon }, className }: { type: SourceType; className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
    >
      <path d={icon} />
    </svg>
  );
}
