// A text input without a label of its own: use Field around it, or FormField in a server-rendered form.
import type { ComponentProps } from "react";

export const controlClass =
  "block w-full rounded-md border border-line-strong/60 bg-ground px-2.5 text-base text-ink placeholder:text-faint transition-colors hover:border-line-strong focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-muted aria-invalid:border-bad";

export function Input({ className = "", ...props }: ComponentProps<"input">) {
  return <input {...props} className={`${controlClass} h-9 ${className}`} />;
}
