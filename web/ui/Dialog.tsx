// A modal on the platform's <dialog>, without an island. A button opens it with `command="show-modal" commandfor={id}`;
// Escape, the backdrop and Cancel close it.
import type { ReactNode } from "react";
import { dialogLook } from "./looks.ts";

export interface DialogProps {
  id: string;
  title: ReactNode;
  /** Open from the start, after its form was refused. */
  open?: boolean;
  children: ReactNode;
}

export function Dialog({ id, title, open, children }: DialogProps) {
  return (
    <dialog id={id} open={open} closedby="any" aria-labelledby={`${id}-title`} className={dialogLook}>
      <h2 id={`${id}-title`} className="font-semibold text-lg">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
