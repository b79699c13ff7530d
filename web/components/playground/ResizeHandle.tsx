// The line between two panels: dragged, or moved with the arrow keys by 10 percent, with Shift all the way.
import type { KeyboardEvent, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { type GroupImperativeHandle, Separator } from "react-resizable-panels";

const STEP_PERCENT = 10;
const SHIFT_STEP_PERCENT = 100;

export function ResizeHandle({ group }: { group: RefObject<GroupImperativeHandle | null> }) {
  const { t } = useTranslation("playground");
  function onKeyDown(event: KeyboardEvent) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const { current: handle } = group;
    if (!direction || !handle) return;
    // In place of the panels' own step.
    event.preventDefault();
    event.stopPropagation();
    const layout = handle.getLayout();
    const [left = "", right = ""] = Object.keys(layout);
    const wanted = (layout[left] ?? 0) + direction * (event.shiftKey ? SHIFT_STEP_PERCENT : STEP_PERCENT);
    const size = Math.min(100, Math.max(0, wanted));
    handle.setLayout({ [left]: size, [right]: 100 - size });
  }
  return (
    <Separator
      aria-label={t("resize")}
      onKeyDownCapture={onKeyDown}
      className="group relative w-px bg-line outline-none transition-colors hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent max-md:hidden"
    >
      <span
        aria-hidden
        className="absolute top-1/2 left-1/2 h-8 w-1 -translate-x-1/2 -translate-y-1/2 rounded-full bg-line-strong transition-colors group-hover:bg-accent group-focus-visible:bg-accent"
      />
    </Separator>
  );
}
