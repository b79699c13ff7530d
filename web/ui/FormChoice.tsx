// A choice among a team's rows in a server-rendered form: a native select, or one that is searched when the rows are too
// many for it. Keeps the submitted choice and shows the action's message. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import type { SearchSelectProps } from "../islands/SearchSelect.tsx";
import { Island } from "../render/island.tsx";
import { useRender } from "../render/render-context.tsx";
import type { Choices } from "../request/choices.ts";
import { Field } from "./Field.tsx";
import { FormField } from "./FormField.tsx";
import { newerValue } from "./newer-value.ts";
import type { Option } from "./Select.tsx";

export interface FormChoiceProps {
  name: string;
  label: string;
  hint?: ReactNode;
  /** Name of the form on a page with several; see Form. */
  form?: string;
  choices: Choices;
  /** The option for no choice. */
  none?: Option;
  /** The saved choice; the first one when absent. */
  defaultValue?: string;
}

export function FormChoice({ choices, none, defaultValue, ...props }: FormChoiceProps) {
  const { t } = useTranslation();
  const { form: state } = useRender();
  const { options, isPartial, list, teamId } = choices;
  const all = none ? [none, ...options] : options;
  if (!isPartial)
    return <FormField as="select" {...props} required={!none} defaultValue={defaultValue} options={all} />;
  const { name, label, hint, form = "" } = props;
  const mine = state?.name === form ? state : undefined;
  const typed = mine?.values[name]?.[0];
  const saved = defaultValue ?? all[0]?.value ?? "";
  const shown = all.find(({ value }) => value === saved)?.label;
  return (
    <Field
      id={form ? `${form}-${name}` : name}
      label={label}
      hint={hint}
      error={mine?.errors[name]}
      newer={newerValue(t, mine, { typed, saved, shown })}
    >
      {({ id, "aria-describedby": describedBy, "aria-invalid": invalid }) => (
        <Island<SearchSelectProps>
          name="SearchSelect"
          props={{
            id,
            name,
            label,
            list,
            teamId,
            options,
            none,
            value: typed ?? saved,
            describedBy,
            invalid,
          }}
        />
      )}
    </Field>
  );
}
