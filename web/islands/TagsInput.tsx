// A list of short texts in a form: chips and a field for the next. Before and without JavaScript a text field with one per
// line, which the form sends in either case. Enter adds, and so do the delimiter, Tab, leaving and pasting where asked for.
import { X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { addTags, type Refusal, splitTags } from "../browser/tags.ts";
import { Button } from "../components/Button.tsx";
import { controlClass } from "../components/Input.tsx";

export interface TagsInputProps {
  /** Of the field that the form sends: one text per line. */
  name: string;
  /** The id that the field's label points at. */
  id: string;
  values: string[];
  placeholder?: string;
  /** The most there can be; 0 for any number. */
  max?: number;
  duplicates?: boolean;
  /** Parts texts as they are typed; "" where a text may hold any character. */
  delimiter?: string;
  addOnTab?: boolean;
  addOnBlur?: boolean;
  addOnPaste?: boolean;
  /** Most characters of one. */
  maxLength?: number;
  type?: "text" | "email";
  describedBy?: string;
  invalid?: boolean;
}

TagsInput.namespaces = ["inputs"];

export function TagsInput(props: TagsInputProps) {
  const { name, id, values, placeholder, max = 0, duplicates, delimiter = ",", describedBy } = props;
  const { t } = useTranslation("inputs");
  const [live, setLive] = useState(false);
  const [tags, setTags] = useState(values);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // What was typed before this came to life stays.
    setTags(splitTags(plain.current?.value ?? "", "").filter((text) => text.trim()));
    setLive(true);
  }, []);

  if (!live) {
    return (
      <textarea
        ref={plain}
        id={id}
        name={name}
        rows={Math.max(2, values.length)}
        defaultValue={values.join("\n")}
        placeholder={placeholder}
        aria-describedby={describedBy}
        aria-invalid={props.invalid || undefined}
        className={`${controlClass} py-1.5`}
      />
    );
  }

  /** @returns whether all of it was taken; what was refused stays in the field. */
  function add(text: string): boolean {
    const added = addTags(tags, splitTags(text, delimiter), { max, duplicates });
    setTags(added.tags);
    setRefusal(added.refusal);
    if (field.current) field.current.value = added.rest.join(delimiter ? `${delimiter} ` : " ");
    return added.refusal === null;
  }

  function remove(index: number) {
    setTags(tags.filter((_, other) => other !== index));
    setRefusal(null);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { value } = event.currentTarget;
    // A word that is still being composed has its own Enter.
    if (event.nativeEvent.isComposing) return;
    const adds = event.key === "Enter" || (event.key === "Tab" && props.addOnTab && !event.shiftKey);
    if (adds && value.trim()) {
      event.preventDefault();
      add(value);
    } else if (event.key === "Enter" && tags.length > 0) {
      // Nothing is left to add: Enter must not send a form that somebody is still filling in.
      event.preventDefault();
    } else if (delimiter && event.key === delimiter) {
      event.preventDefault();
      add(value);
    } else if (event.key === "Backspace" && value === "" && tags.length > 0) {
      remove(tags.length - 1);
    }
  }

  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData("text");
    // Several lines are several texts everywhere; one is only where pasting adds.
    if (!props.addOnPaste && !/\n./.test(text)) return;
    event.preventDefault();
    add(text);
  }

  const told =
    refusal === "duplicate"
      ? t("tags.duplicate")
      : refusal === "maximum"
        ? t("tags.maximum", { count: max })
        : "";
  return (
    <div>
      <div
        data-invalid={refusal ? "" : undefined}
        className="flex min-h-9 flex-wrap items-center gap-1 rounded-md border border-line-strong/60 bg-ground p-1 transition-colors focus-within:border-accent focus-within:outline-1 focus-within:outline-accent hover:border-line-strong data-invalid:border-bad data-invalid:outline-bad"
      >
        <ul aria-label={t("tags.list")} className="contents">
          {tags.map((tag, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the same text may stand twice, and chips hold no state
              key={`${index}${tag}`}
              className="inline-flex max-w-full items-center gap-0.5 rounded-sm bg-hover py-0.5 pl-2 text-sm"
            >
              <span className="min-w-0 break-words py-0.5">{tag}</span>
              <Button
                variant="bare"
                type="button"
                aria-label={t("tags.remove", { tag })}
                onClick={() => remove(index)}
                className="grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-ink"
              >
                <X aria-hidden className="size-3.5" />
              </Button>
            </li>
          ))}
        </ul>
        <input
          ref={field}
          id={id}
          type="text"
          inputMode={props.type === "email" ? "email" : undefined}
          autoComplete="off"
          maxLength={props.maxLength}
          placeholder={tags.length === 0 ? placeholder : undefined}
          aria-invalid={refusal !== null || props.invalid || undefined}
          aria-describedby={`${id}-told ${describedBy ?? ""}`}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onChange={() => setRefusal(null)}
          onBlur={({ currentTarget }) =>
            props.addOnBlur && currentTarget.value.trim() && add(currentTarget.value)
          }
          className="h-7 min-w-32 flex-1 bg-transparent px-1.5 text-base outline-none placeholder:text-faint"
        />
      </div>
      {/* What the form sends. */}
      <textarea hidden readOnly name={name} value={tags.join("\n")} />
      <p id={`${id}-told`} aria-live="polite" className="mt-1 font-medium text-bad text-sm empty:hidden">
        {told}
      </p>
    </div>
  );
}
