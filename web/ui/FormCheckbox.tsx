// One checkbox of a server-rendered form: keeps the submitted choice, shows the action's message. Server only.
import type { ReactNode } from "react";
import { useRender } from "../render/render-context.tsx";

export interface FormCheckboxProps {
  name: string;
  label: ReactNode;
  /** The saved choice. */
  isChecked: boolean;
  /** Name of the form on a page with several; see Form. */
  form?: string;
}

export function FormCheckbox({ name, label, isChecked, form = "" }: FormCheckboxProps) {
  const { form: state } = useRender();
  const mine = state?.name === form ? state : undefined;
  const error = mine?.errors[name];
  const id = `${form}-${name}`;
  return (
    <div>
      <label htmlFor={id} className="flex items-center gap-2">
        <input
          type="checkbox"
          id={id}
          name={name}
          // A form that is shown again has the submitted checkboxes.
          defaultChecked={mine ? mine.values[name] !== undefined : isChecked}
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={error ? true : undefined}
        />
        {label}
      </label>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 font-medium text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
