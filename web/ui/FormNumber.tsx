// A number field in a server-rendered form: keeps the submitted value, shows the action's message. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { numberFormat } from "../client/per-language.ts";
import type { NumberInputProps } from "../islands/NumberInput.tsx";
import { Island } from "../render/island.tsx";
import { useFormState } from "../render/render-context.tsx";
import { Field } from "./Field.tsx";
import { newerValue } from "./newer-value.ts";

export interface FormNumberProps extends Omit<NumberInputProps, "id" | "describedBy" | "invalid" | "value"> {
  value: number;
  hint?: ReactNode;
}

export function FormNumber({ name, label, hint, value, ...limits }: FormNumberProps) {
  const { t, i18n } = useTranslation();
  const mine = useFormState("");
  const typed = mine?.values[name]?.[0];
  const shown = numberFormat(i18n.language).format(value);
  return (
    <Field
      id={name}
      label={label}
      hint={hint}
      error={mine?.errors[name]}
      newer={newerValue(t, mine, { typed: typed && String(Number(typed)), saved: String(value), shown })}
    >
      {({ id, "aria-describedby": describedBy, "aria-invalid": invalid }) => (
        <Island<NumberInputProps>
          name="NumberInput"
          props={{
            ...limits,
            id,
            name,
            label,
            value: typed ?? value,
            describedBy,
            invalid,
          }}
        />
      )}
    </Field>
  );
}
