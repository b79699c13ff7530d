// A question over the page, on the platform's <dialog>: no island needed. A button opens it with
// `command="show-modal" commandfor={id}` (see DialogButton); Escape, the backdrop and Cancel close it.
import type { ReactNode } from "react";

export interface DialogProps {
  id: string;
  title: ReactNode;
  children: ReactNode;
}

export function Dialog({ id, title, children }: DialogProps) {
  return (
    <dialog
      id={id}
      closedby="any"
      aria-labelledby={`${id}-title`}
      className="w-[min(28rem,calc(100vw-2rem))] rounded-md border border-line bg-raised p-5 shadow-popover backdrop:bg-black/40"
    >
      <h2 id={`${id}-title`} className="font-semibold text-lg">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
