// A text input without a label of its own: use Field around it, or FormField in a server-rendered form.
import type { ComponentProps } from "react";

export const controlClass =
  "block w-full rounded-md border border-line-strong bg-ground px-2.5 text-base text-ink placeholder:text-faint transition-colors hover:border-muted focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-muted aria-invalid:border-bad";

/** A file is chosen by a button; its name follows as text. */
const fileClass =
  "block w-full text-muted text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-md file:border file:border-line file:bg-raised file:px-3 file:font-medium file:text-ink file:text-sm hover:file:bg-hover disabled:opacity-55";

export function Input({ className = "", ...props }: ComponentProps<"input">) {
  const look = props.type === "file" ? fileClass : `${controlClass} h-9`;
  return <input {...props} className={`${look} ${className}`} />;
}
