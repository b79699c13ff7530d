// Scene: buttons, inputs and selects.
import { Plus, Trash2 } from "lucide-react";
import type { CopyTextProps } from "../../islands/CopyText.tsx";
import type { DateRangeProps } from "../../islands/DateRange.tsx";
import { Island } from "../../render/island.tsx";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { Fold } from "../../ui/Fold.tsx";
import { FormNumber } from "../../ui/FormNumber.tsx";
import { FormTags } from "../../ui/FormTags.tsx";
import { Input } from "../../ui/Input.tsx";
import type { Size, Variant } from "../../ui/looks.ts";
import { Select } from "../../ui/Select.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { textFor } from "../texts.ts";
import { type SceneData, Shown } from "./Shown.tsx";

const variants: Variant[] = ["primary", "secondary", "ghost", "danger"];
const sizes: Size[] = ["sm", "md", "lg"];

export function Controls({ isLong }: SceneData) {
  const words = (name: string, at = 0) => textFor(name, at, isLong);
  const options = [0, 1, 2].map((at) => ({ value: String(at), label: words("name", at) }));
  return (
    <>
      <Shown name="Buttons">
        {sizes.map((size) => (
          <div key={size} className="flex flex-wrap gap-2">
            {variants.map((variant) => (
              <Button
                key={variant}
                size={size}
                variant={variant}
                icon={<Plus aria-hidden className="size-4" />}
              >
                {words("name")}
              </Button>
            ))}
            <Button size={size} disabled>
              {words("name", 1)}
            </Button>
            <Button size={size} href="/gallery">
              {words("name", 2)}
            </Button>
          </div>
        ))}
        <Button size="icon" variant="ghost" aria-label="Delete" data-tooltip="Delete">
          <Trash2 aria-hidden className="size-4" />
        </Button>
      </Shown>
      <Shown name="Fields">
        <Field id="plain" label={words("name")} hint={words("description")}>
          {(attributes) => <Input {...attributes} defaultValue={words("name", 1)} />}
        </Field>
        <Field id="wrong" label={words("name")} aside={words("role")} error={words("error", 1)}>
          {(attributes) => <Input {...attributes} placeholder={words("name", 2)} />}
        </Field>
        <Field id="newer" label={words("name")} newer={words("description", 1)}>
          {(attributes) => <Textarea {...attributes} defaultValue={words("description", 2)} />}
        </Field>
        <Field id="disabled" label={words("name")}>
          {(attributes) => <Input {...attributes} disabled defaultValue={words("name")} />}
        </Field>
        <Field id="choice" label={words("name")}>
          {(attributes) => <Select {...attributes} options={options} />}
        </Field>
        <FormNumber
          name="number"
          label={words("name")}
          hint={words("description")}
          value={3}
          min={1}
          max={9}
        />
        <FormTags name="tags" label={words("name")} values={options.map(({ label }) => label)} />
        <Fold title={words("name")} summary={words("role", 1)}>
          {words("description")}
        </Fold>
      </Shown>
      <Shown name="Choices">
        <fieldset className="space-y-2">
          <legend className="mb-1.5 font-medium text-sm">{words("name")}</legend>
          {options.map(({ value, label }) => (
            <label key={value} className="flex items-start gap-2.5">
              <input
                type="checkbox"
                name="several"
                value={value}
                defaultChecked={value === "1"}
                className="mt-1"
              />
              <span className="min-w-0">{label}</span>
            </label>
          ))}
        </fieldset>
      </Shown>
      <Shown name="Tabs, days and something to copy">
        <Tabs
          label={words("name")}
          tabs={options.map(({ value, label }) => ({ label, href: `#${value}`, current: value === "0" }))}
        />
        <Island<DateRangeProps>
          name="DateRange"
          props={{
            label: words("name"),
            start: "2026-03-01",
            end: "2026-03-09",
            last: "2026-03-16",
            clearable: true,
          }}
        />
        <Island<CopyTextProps> name="CopyText" props={{ label: words("name"), text: words("url") }} />
      </Shown>
    </>
  );
}
