// A question. It can be edited and asked again in its place.
import { Pencil } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import { unsavedText } from "../../client/unsaved-text.ts";
import { useFocusReturn } from "../../client/use-focus-return.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";

export interface QuestionProps {
  id: string;
  content: string;
  /** True when it did not arrive. */
  isUnsent?: boolean;
  /** Asks again; absent when that is not possible now. */
  onAskAgain?(content: string, replaces: string): void;
}

export const Question = memo(function Question({ id, content, isUnsent, onAskAgain }: QuestionProps) {
  const { t } = useTranslation("chat");
  const [editing, setEditing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const opener = useFocusReturn(editing);
  const unsaved = unsavedText(`question:${id}`);
  const stopEditing = () => {
    unsaved.drop();
    setEditing(false);
  };

  // An edit that a reload or another page interrupted.
  useEffect(() => {
    if (unsavedText(`question:${id}`).read() !== null) setEditing(true);
  }, [id]);
  useEffect(() => {
    if (!editing) return;
    field.current?.focus();
    field.current?.setSelectionRange(-1, -1);
  }, [editing]);

  if (editing && onAskAgain) {
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
  return (
    <div className="group flex items-start justify-end gap-1">
      {onAskAgain && (
        <IconButton
          ref={opener}
          label={t("edit")}
          onClick={() => setEditing(true)}
          className="mt-1 opacity-0 transition-opacity focus-visible:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100"
        >
          <Pencil aria-hidden className="size-3.5" />
        </IconButton>
      )}
      <p
        dir="auto"
        className="max-w-[85%] whitespace-pre-wrap rounded-lg bg-hover px-3.5 py-2 leading-6 [overflow-wrap:anywhere]"
      >
        {content}
        {isUnsent && <span className="block text-bad text-sm">{t("notSent")}</span>}
      </p>
    </div>
  );
});
