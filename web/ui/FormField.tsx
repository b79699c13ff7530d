// A field of a server-rendered form: keeps the submitted value and shows the action's message when the form is shown
// again. Server only (it reads the request). In an island use Field with Input, Textarea or Select.
import type { ComponentProps, ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRender } from "../render/render-context.tsx";
import { Field } from "./Field.tsx";
import { Input } from "./Input.tsx";
import { newerValue } from "./newer-value.ts";
import { type Option, Select } from "./Select.tsx";
import { Textarea } from "./Textarea.tsx";

interface Common {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  aside?: ReactNode;
  /** Name of the form on a page with several; see Form. */
  form?: string;
}

export type FormFieldProps = Common &
  (
    | ({ as?: "input" } & Omit<ComponentProps<"input">, "form">)
    | ({ as: "textarea" } & Omit<ComponentProps<"textarea">, "form">)
    | ({ as: "select"; options: Option[] } & Omit<ComponentProps<"select">, "form">)
  );

export function FormField({ name, label, hint, aside, form = "", ...control }: FormFieldProps) {
  const { t } = useTranslation();
  const { form: state } = useRender();
  const mine = state?.name === form ? state : undefined;
  const saved = String(control.defaultValue ?? "");
  const shown =
    control.as === "select" ? control.options.find(({ value }) => value === saved)?.label : undefined;
  return (
    <Field
      id={form ? `${form}-${name}` : name}
      label={label}
      hint={hint}
      aside={aside}
      error={mine?.errors[name]}
      newer={newerValue(t, mine, { typed: mine?.values[name]?.[0], saved, shown })}
    >
      {(attributes) => {
        const common = { ...attributes, name };
        const typed = mine?.values[name]?.[0];
        if (control.as === "textarea") {
          const { as: _, defaultValue, ...props } = control;
          return <Textarea {...props} {...common} defaultValue={typed ?? defaultValue} />;
        }
        if (control.as === "select") {
          const { as: _, defaultValue, ...props } = control;
          return <Select {...props} {...common} defaultValue={typed ?? defaultValue} />;
        }
        const { as: _, defaultValue, ...props } = control;
        return <Input {...props} {...common} defaultValue={typed ?? defaultValue} />;
      }}
    </Field>
  );
}
