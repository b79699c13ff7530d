// Progress towards a total. `label` says what is in progress.
import type { ReactNode } from "react";

export interface ProgressBarProps {
  done: number;
  total: number;
  label: string;
  /** Text under the bar: "42 of 310 documents". */
  children?: ReactNode;
}

export function ProgressBar({ done, total, label, children }: ProgressBarProps) {
  const percent = total > 0 ? Math.min(100, Math.round((done / total) * 100)) : 0;
  return (
    <div className="min-w-0">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="forced-color-adjust-none h-1.5 overflow-hidden rounded-sm bg-pressed"
      >
        <div
          className="h-full rounded-sm bg-accent transition-[width] duration-300"
          style={{ width: `${percent}%` }}
        />
      </div>
      {children && <p className="mt-1.5 text-muted text-sm tabular-nums">{children}</p>}
    </div>
  );
}
