// A list of short texts in a server-rendered form: keeps the submitted values, shows the action's message. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import type { TagsInputProps } from "../islands/TagsInput.tsx";
import { Island } from "../render/island.tsx";
import { useRender } from "../render/render-context.tsx";
import { Field } from "./Field.tsx";
import { newerValue } from "./newer-value.ts";

export interface FormTagsProps extends Omit<TagsInputProps, "id" | "describedBy" | "invalid"> {
  label: ReactNode;
  hint?: ReactNode;
  /** Name of the form on a page with several; see Form. */
  form?: string;
}

export function FormTags({ name, label, hint, form = "", values, ...rest }: FormTagsProps) {
  const { t } = useTranslation();
  const { form: state } = useRender();
  const mine = state?.name === form ? state : undefined;
  const typed = mine?.values[name]?.[0]?.split(/\r?\n/).filter(Boolean);
  const saved = values.join("\n");
  return (
    <Field
      id={form ? `${form}-${name}` : name}
      label={label}
      hint={hint}
      error={mine?.errors[name]}
      newer={newerValue(t, mine, { typed: typed?.join("\n"), saved })}
    >
      {({ id, "aria-describedby": describedBy, "aria-invalid": invalid }) => (
        <Island<TagsInputProps>
          name="TagsInput"
          props={{ ...rest, id, name, values: typed ?? values, describedBy, invalid }}
        />
      )}
    </Field>
  );
}
