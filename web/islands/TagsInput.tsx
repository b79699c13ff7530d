// A list of short texts in a form: chips and a field for the next. Before hydration and without JavaScript a text field
// with one per line, which the form sends in either case. Enter adds a text; so do the delimiter, Tab, blur and paste
// when enabled.
import { X } from "lucide-react";
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "#translations";
import { addTags, type Refusal, splitTags } from "../client/tags.ts";
import { Button } from "../ui/Button.tsx";
import { controlClass } from "../ui/Input.tsx";

export interface TagsInputProps {
  /** Name of the field that the form sends: one text per line. */
  name: string;
  /** The id that the field's label refers to. */
  id: string;
  values: string[];
  placeholder?: string;
  /** The maximum count; 0 for no limit. */
  max?: number;
  duplicates?: boolean;
  /** Separates texts while typing; "" when a text may contain any character. */
  delimiter?: string;
  addOnTab?: boolean;
  addOnBlur?: boolean;
  addOnPaste?: boolean;
  /** Maximum length of one text. */
  maxLength?: number;
  type?: "text" | "email";
  describedBy?: string;
  invalid?: boolean;
}

TagsInput.namespaces = ["inputs"];

/** What the text field contained when it was replaced. */
interface Taken {
  tags: string[];
  /** The line that the reader was typing; null when the field had no focus. */
  unfinished: string | null;
}

export function TagsInput(props: TagsInputProps) {
  const plain = useRef<HTMLTextAreaElement>(null);
  const [taken, setTaken] = useState<Taken | null>(null);
  useEffect(() => {
    // Keeps text that was typed before hydration.
    const lines = splitTags(plain.current?.value ?? "", "");
    const unfinished = plain.current === document.activeElement ? (lines.pop() ?? "") : null;
    setTaken({ tags: lines.filter((text) => text.trim()), unfinished });
  }, []);

  if (taken) return <TagsField {...props} {...taken} delimiter={props.delimiter ?? ","} />;
  return (
    <textarea
      ref={plain}
      id={props.id}
      name={props.name}
      rows={Math.max(1, props.values.length)}
      defaultValue={props.values.join("\n")}
      placeholder={props.placeholder}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid || undefined}
      className={`${controlClass} field-sizing-content min-h-9.5 py-1.5`}
    />
  );
}

type TagsFieldProps = TagsInputProps & Taken & { delimiter: string };

function TagsField(props: TagsFieldProps) {
  const { name, id, values, placeholder, max = 0, describedBy } = props;
  const { t } = useTranslation("inputs");
  const field = useRef<HTMLInputElement>(null);
  const { tags, text, refusal, add, remove, type, restore } = useTags(props, field);
  const sent = useSentText(text);
  const { onKeyDown, onPaste, onBlur } = useAdding(props, { tags, add, remove });
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
        className="flex min-h-9 flex-wrap items-center gap-1 rounded-md border border-line-strong bg-ground p-1 transition-colors focus-within:border-accent focus-within:outline-1 focus-within:outline-accent hover:border-muted data-invalid:border-bad data-invalid:outline-bad"
      >
        <Chips tags={tags} onRemove={remove} />
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
          onChange={({ target }) => type(target.value)}
          onBlur={onBlur}
          className="h-7 min-w-32 flex-1 bg-transparent px-1.5 text-base outline-none placeholder:text-faint"
        />
      </div>
      {/* The field that the form sends. */}
      <textarea
        ref={sent}
        hidden
        readOnly
        name={name}
        defaultValue={values.join("\n")}
        onInput={({ currentTarget }) => currentTarget.value !== text && restore(currentTarget.value)}
      />
      <p id={`${id}-told`} aria-live="polite" className="mt-1 font-medium text-bad text-sm empty:hidden">
        {told}
      </p>
    </div>
  );
}

function Chips({ tags, onRemove }: { tags: string[]; onRemove: (index: number) => void }) {
  const { t } = useTranslation("inputs");
  return (
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
            onClick={() => onRemove(index)}
            className="grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-ink"
          >
            <X aria-hidden className="size-3.5" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The texts and what is being typed in the field. */
function useTags(props: TagsFieldProps, field: RefObject<HTMLInputElement | null>) {
  const { max, duplicates, delimiter, unfinished } = props;
  const [tags, setTags] = useState(props.tags);
  const [typed, setTyped] = useState(unfinished ?? "");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // In the same task as the replacement of the text field, so that no key goes elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field appears
  useLayoutEffect(() => {
    if (unfinished === null || !field.current) return;
    field.current.value = unfinished;
    field.current.focus();
  }, []);

  function put(text: string): void {
    if (field.current) field.current.value = text;
    setTyped(text);
  }

  return {
    tags,
    refusal,
    /** What the form sends: what is typed counts although it was not added yet. */
    text: [...tags, ...splitTags(typed, delimiter).map((one) => one.trim())].filter(Boolean).join("\n"),
    /** Refused text stays in the field. */
    add(text: string): void {
      const added = addTags(tags, splitTags(text, delimiter), { max, duplicates });
      setTags(added.tags);
      setRefusal(added.refusal);
      put(added.rest.join(delimiter ? `${delimiter} ` : " "));
    },
    remove(index: number): void {
      setTags(tags.filter((_, other) => other !== index));
      setRefusal(null);
      field.current?.focus();
    },
    type(text: string): void {
      setTyped(text);
      setRefusal(null);
    },
    /** Shows what was typed before the page was left. */
    restore(stored: string): void {
      setTags(splitTags(stored, "").filter((one) => one.trim()));
      put("");
    },
  };
}

/**
 * Keeps the field that the form sends at the given text. It is uncontrolled, so that its default stays what the server
 * sent: unsaved changes are found by comparing with it.
 */
function useSentText(text: string): RefObject<HTMLTextAreaElement | null> {
  const sent = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!sent.current || sent.current.value === text) return;
    sent.current.value = text;
    sent.current.dispatchEvent(new Event("input", { bubbles: true }));
  }, [text]);
  return sent;
}

/** Which keys, pastes and clicks elsewhere add what is typed. */
function useAdding(
  { delimiter, addOnTab, addOnBlur, addOnPaste }: TagsFieldProps,
  { tags, add, remove }: Pick<ReturnType<typeof useTags>, "tags" | "add" | "remove">,
) {
  const isPressing = useIsPressing();

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { value } = event.currentTarget;
    // While an input method composes text, Enter belongs to it.
    if (event.nativeEvent.isComposing) return;
    const adds = event.key === "Enter" || (event.key === "Tab" && addOnTab && !event.shiftKey);
    if (adds && value.trim()) {
      event.preventDefault();
      add(value);
    } else if (event.key === "Enter" && tags.length > 0) {
      // Enter in the empty field must not submit a form that is still being filled in.
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
    // Several pasted lines are always several texts; a single line is added only with addOnPaste.
    if (!addOnPaste && !/\n./.test(text)) return;
    event.preventDefault();
    add(text);
  }

  function onBlur({ currentTarget }: FocusEvent<HTMLInputElement>) {
    if (!addOnBlur || !currentTarget.value.trim()) return;
    const addTyped = () => add(currentTarget.value);
    // The new chip may move the button that is being pressed away from the pointer, which would lose the click.
    if (isPressing.current) addEventListener("pointerup", () => setTimeout(addTyped), { once: true });
    else addTyped();
  }

  return { onKeyDown, onPaste, onBlur };
}

function useIsPressing(): RefObject<boolean> {
  const isPressing = useRef(false);
  useEffect(() => {
    const onPress = ({ type }: Event) => {
      isPressing.current = type === "pointerdown";
    };
    const kinds = ["pointerdown", "pointerup", "pointercancel"];
    for (const kind of kinds) addEventListener(kind, onPress, true);
    return () => {
      for (const kind of kinds) removeEventListener(kind, onPress, true);
    };
  }, []);
  return isPressing;
}
