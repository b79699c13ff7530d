// Edits a question of a chat. Loaded when it is first opened.
import { useEffect, useRef } from "react";
import { useTranslation } from "#translations";
import { unsavedText } from "../../client/unsaved-text.ts";
import { Button } from "../../ui/Button.tsx";

export interface QuestionFormProps {
  id: string;
  content: string;
  onEnd(): void;
  onAskAgain(content: string, replaces: string): void;
}

export function QuestionForm({ id, content, onEnd, onAskAgain }: QuestionFormProps) {
  const { t } = useTranslation("chat");
  const field = useRef<HTMLTextAreaElement>(null);
  const unsaved = unsavedText(`question:${id}`);
  const stopEditing = () => {
    unsaved.drop();
    onEnd();
  };
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(-1, -1);
  }, []);
  const askAgain = () => {
    const text = field.current?.value.trim();
    if (!text) return;
    stopEditing();
    onAskAgain(text, id);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        askAgain();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          stopEditing();
        } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
          event.preventDefault();
          askAgain();
        }
      }}
      className="rounded-lg border border-accent bg-raised p-2"
    >
      <textarea
        ref={field}
        dir="auto"
        aria-label={t("edit")}
        defaultValue={unsaved.read() ?? content}
        onChange={({ target }) => unsaved.write(target.value)}
        maxLength={20_000}
        rows={2}
        className="field-sizing-content block max-h-80 w-full resize-none bg-transparent px-1.5 py-1 leading-6 outline-none"
      />
      <div className="mt-1 flex items-center justify-end gap-2">
        <Button type="button" variant="ghost" onClick={stopEditing}>
          {t("cancel")}
        </Button>
        <Button variant="primary">{t("send")}</Button>
      </div>
    </form>
  );
}
