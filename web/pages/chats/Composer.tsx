// The field for a question. Enter sends, Shift+Enter breaks the line, Escape stops a reply.
import { ArrowUp, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef } from "react";
import { useTranslation } from "#translations";
import { isFocusLost } from "../../client/use-focus-return.ts";
import { Button } from "../../ui/Button.tsx";

export interface ComposerProps {
  agentName: string;
  busy: boolean;
  value: string;
  onChange(value: string): void;
  onSend(): void;
  onStop(): void;
  /** Whether to focus the field when nothing else on the page has focus. */
  takesFocus?: boolean;
}

/** One line of text and the line break that Enter adds while the page has no script. */
const enteredLine = /^[^\n]*\S[^\n]*\n$/;

export function Composer({
  agentName,
  busy,
  value,
  onChange,
  onSend,
  onStop,
  takesFocus = false,
}: ComposerProps) {
  const { t } = useTranslation("chat");
  const field = useRef<HTMLTextAreaElement>(null);
  const empty = value.trim() === "";

  /** Not on a touch screen, where the keyboard would cover the chat. */
  const focusField = useCallback(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, []);

  // Keeps text that was typed before hydration, and sends it when Enter ended it.
  const atStart = useRef({ value, onChange });
  const wasEntered = useRef(false);
  useEffect(() => {
    const typed = field.current?.value;
    if (!typed) return;
    wasEntered.current = typed !== atStart.current.value && enteredLine.test(typed);
    atStart.current.onChange(typed);
  }, []);
  useEffect(() => {
    if (!wasEntered.current || empty) return;
    wasEntered.current = false;
    onSend();
  }, [empty, onSend]);

  useEffect(() => {
    const isFree = isFocusLost() || document.activeElement?.matches("main, h1");
    if (takesFocus && isFree) focusField();
  }, [takesFocus, focusField]);
  // What asked the question may be gone: a suggestion, Retry, or the edited question.
  useEffect(() => {
    if (busy && isFocusLost()) focusField();
  }, [busy, focusField]);

  // Grows with its content in browsers whose CSS cannot do it.
  useEffect(() => {
    const { current: element } = field;
    if (!element || CSS.supports("field-sizing", "content")) return;
    element.style.height = "auto";
    if (value) element.style.height = `${element.scrollHeight}px`;
  }, [value]);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (busy) onStop();
    else onSend();
    // After a click on the button, typing continues in the field.
    focusField();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!busy) onSend();
  }

  return (
    <form
      onSubmit={onSubmit}
      className="flex items-end gap-2 rounded-lg border border-line-strong bg-raised p-1.5 focus-within:border-accent"
    >
      <p className="hidden p-2 text-muted text-sm noscript:block">{t("needsScripts")}</p>
      <textarea
        ref={field}
        name="content"
        rows={1}
        dir="auto"
        aria-label={t("label", { agentName })}
        placeholder={t("placeholder", { agentName })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        maxLength={20_000}
        className="field-sizing-content max-h-48 min-h-9 flex-1 resize-none bg-transparent px-2 py-2 leading-5 outline-none noscript:hidden placeholder:truncate placeholder:text-faint"
      />
      <Button
        variant="primary"
        size="icon"
        // Not disabled, which would lose a click before hydration.
        aria-disabled={!busy && empty}
        aria-label={busy ? t("stop") : t("send")}
        className="size-9! shrink-0 noscript:hidden"
      >
        {busy ? (
          <Square aria-hidden className="size-3.5 fill-current" />
        ) : (
          <ArrowUp aria-hidden className="size-4" />
        )}
      </Button>
    </form>
  );
}
