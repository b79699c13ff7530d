// The separator between two panels: dragged, or moved with the arrow keys by 10 percent, with Shift to the end.
import type { KeyboardEvent, RefObject } from "react";
import { type GroupImperativeHandle, Separator } from "react-resizable-panels";

const STEP_PERCENT = 10;
const SHIFT_STEP_PERCENT = 100;

export interface ResizeHandleProps {
  group: RefObject<GroupImperativeHandle | null>;
  /** The panels to its left and right. */
  between: readonly [string, string];
  label: string;
  className?: string;
}

export function ResizeHandle({ group, between: [left, right], label, className = "" }: ResizeHandleProps) {
  function onKeyDown(event: KeyboardEvent) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const { current: handle } = group;
    if (!direction || !handle) return;
    // Replaces the panel library's own keyboard step.
    event.preventDefault();
    event.stopPropagation();
    const layout = handle.getLayout();
    const both = (layout[left] ?? 0) + (layout[right] ?? 0);
    const wanted = (layout[left] ?? 0) + direction * (event.shiftKey ? SHIFT_STEP_PERCENT : STEP_PERCENT);
    const size = Math.min(both, Math.max(0, wanted));
    handle.setLayout({ ...layout, [left]: size, [right]: both - size });
  }
  return (
    <Separator
      aria-label={label}
      onKeyDownCapture={onKeyDown}
      className={`group relative w-px bg-line outline-none transition-colors hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent ${className}`}
    >
      <span
        aria-hidden
        className="absolute top-1/2 left-1/2 h-8 w-1 -translate-x-1/2 -translate-y-1/2 rounded-full bg-line-strong transition-colors group-hover:bg-accent group-focus-visible:bg-accent"
      />
    </Separator>
  );
}
