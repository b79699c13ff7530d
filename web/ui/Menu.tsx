// A menu of actions behind a button, on <details>: works without an island. The navigation client closes it on an
// outside click and on Escape.
import type { ReactNode } from "react";

export interface MenuProps {
  /** The button's content. */
  trigger: ReactNode;
  /** The button's name when its content is not text. */
  label?: string;
  align?: "start" | "end";
  /** Opens upwards, for a menu at the bottom of the page. */
  up?: boolean;
  triggerClass?: string;
  children: ReactNode;
}

export function Menu({ trigger, label, align = "start", up, triggerClass = "", children }: MenuProps) {
  return (
    <details data-menu className="relative min-w-0">
      <summary aria-label={label} className={`rounded-md ${triggerClass}`}>
        {trigger}
      </summary>
      <div
        className={`absolute z-30 w-56 rounded-md border border-line bg-raised p-1 shadow-popover ${align === "end" ? "right-0" : "left-0"} ${up ? "bottom-full mb-1" : "top-full mt-1"}`}
      >
        {children}
      </div>
    </details>
  );
}
