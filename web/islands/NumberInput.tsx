// A number field: typed, stepped by keys or by its two buttons, and clamped to its limits on blur. Before hydration and
// without JavaScript it is the browser's own number field.
import { Minus, Plus } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { clamp, stepBy, stepOfKey } from "../client/numbers.ts";
import { Button } from "../ui/Button.tsx";
import { controlClass } from "../ui/Input.tsx";

export interface NumberInputProps {
  name: string;
  /** The id that the field's label refers to. */
  id: string;
  /** What the number is, for the buttons' names. */
  label: string;
  /** A refused text is shown again as it was typed. */
  value: number | string;
  min?: number;
  max?: number;
  /** What a button or a key adds. Any number between the limits is accepted, a whole one for a whole step. */
  step?: number;
  describedBy?: string;
  invalid?: boolean;
}

NumberInput.namespaces = ["inputs"];

const button =
  "grid h-9 w-9 shrink-0 place-items-center border border-line-strong text-muted transition-colors hover:bg-hover hover:text-ink disabled:opacity-40";

export function NumberInput(props: NumberInputProps) {
  const { name, id, label, min, max, step = 1, describedBy, invalid } = props;
  const { t } = useTranslation("inputs");
  const [live, setLive] = useState(false);
  const [text, setText] = useState(String(props.value));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Keeps text that was typed before hydration.
    if (field.current) setText(field.current.value);
    setLive(true);
  }, []);
  const limits = { min, max, step };
  // Text that is not a number steps from the lower limit.
  const value = text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : (min ?? 0);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const next = stepOfKey(event.key, value, limits);
    if (next === null) return;
    event.preventDefault();
    setText(String(next));
  }

  return (
    <div className="flex">
      {live && (
        <Button
          variant="bare"
          type="button"
          tabIndex={-1}
          aria-label={t("number.less", { label })}
          disabled={min !== undefined && value <= min}
          onClick={() => setText(String(stepBy(value, -1, limits)))}
          className={`${button} rounded-l-md border-r-0`}
        >
          <Minus aria-hidden className="size-3.5" />
        </Button>
      )}
      <input
        ref={field}
        type="number"
        id={id}
        name={name}
        min={min}
        max={max}
        step={Number.isInteger(step) ? 1 : "any"}
        required
        value={text}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => setText(String(clamp(value, limits)))}
        className={`${controlClass} number-field h-9 min-w-0 text-center tabular-nums ${live ? "rounded-none!" : ""}`}
      />
      {live && (
        <Button
          variant="bare"
          type="button"
          tabIndex={-1}
          aria-label={t("number.more", { label })}
          disabled={max !== undefined && value >= max}
          onClick={() => setText(String(stepBy(value, 1, limits)))}
          className={`${button} rounded-r-md border-l-0`}
        >
          <Plus aria-hidden className="size-3.5" />
        </Button>
      )}
    </div>
  );
}
