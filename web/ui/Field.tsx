// A label, a control, a hint and an error, associated for screen readers. A function receives the control's attributes.
import type { ReactNode } from "react";

interface ControlAttributes {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export interface FieldProps {
  /** Unique on the page. */
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  /** The value that somebody else has saved, when it differs from the typed one. */
  newer?: ReactNode;
  /** Shown next to the label, such as "optional" or a link. */
  aside?: ReactNode;
  children: (attributes: ControlAttributes) => ReactNode;
}

export function Field({ id, label, hint, error, newer, aside, children }: FieldProps) {
  const describedBy = [hint && `${id}-hint`, newer && `${id}-newer`, error && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {aside && <span className="max-w-1/2 shrink-0 text-muted text-sm">{aside}</span>}
      </div>
      {children({
        id,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {newer && (
        <p id={`${id}-newer`} className="whitespace-pre-line text-careful text-sm">
          {newer}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="font-medium text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
