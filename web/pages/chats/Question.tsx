// A question. It can be edited and asked again in its place, by a form that loads when it is opened.
import { Pencil } from "lucide-react";
import { memo, Suspense, useEffect, useState } from "react";
import { useTranslation } from "#translations";
import { lazyPart } from "../../client/lazy-part.tsx";
import { unsavedText } from "../../client/unsaved-text.ts";
import { useFocusReturn } from "../../client/use-focus-return.ts";
import { IconButton } from "../../ui/IconButton.tsx";

const QuestionForm = lazyPart(async () => (await import("./QuestionForm.tsx")).QuestionForm);

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
  const opener = useFocusReturn(editing);

  // An edit that a reload or another page interrupted.
  useEffect(() => {
    if (unsavedText(`question:${id}`).read() !== null) setEditing(true);
  }, [id]);

  const asked = (
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
  if (!editing || !onAskAgain) return asked;
  return (
    <Suspense fallback={asked}>
      <QuestionForm id={id} content={content} onEnd={() => setEditing(false)} onAskAgain={onAskAgain} />
    </Suspense>
  );
});
