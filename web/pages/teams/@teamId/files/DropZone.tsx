// The drop zone and file picker. For islands.
import { Upload as UploadIcon } from "lucide-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "#translations";

/** The formats that the indexing function can parse; the browser's file dialog shows these first. */
const accept =
  ".pdf,.docx,.pptx,.xlsx,.odt,.ods,.odp,.rtf,.epub,.eml,.md,.markdown,.html,.htm,.txt,.vtt,.srt,.ipynb,.csv,.tsv,.json,.jsonl,.xml,.yaml,.yml,text/*";

export interface DropZoneProps {
  onFiles(files: Iterable<File>): void;
  compact?: boolean;
  /** The field's name, for a form that is submitted without scripts: one file then. Elsewhere it is not shown without. */
  name?: string;
}

export function DropZone({ onFiles, compact, name }: DropZoneProps) {
  const { t } = useTranslation("files");
  const id = useId();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  function takeChosen() {
    const { current } = input;
    if (!current?.files?.length) return;
    onFiles([...current.files]);
    current.value = "";
  }
  // Files may have been chosen before hydration.
  const atStart = useRef(takeChosen);
  useEffect(() => atStart.current(), []);

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    onFiles(event.dataTransfer.files);
  }

  return (
    <>
      {!name && <p className="hidden text-muted noscript:block">{t("drop.needsScripts")}</p>}
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={`${name ? "" : "noscript:hidden"} flex cursor-pointer flex-col items-center justify-center rounded-lg border border-dashed px-6 text-center transition-colors focus-within:outline-2 focus-within:outline-accent hover:bg-sunken ${compact ? "py-5" : "py-12"} ${over ? "border-accent bg-accent-soft" : "border-line-strong"}`}
      >
        <UploadIcon aria-hidden className="mb-2 size-5 text-muted" />
        <span className="font-medium">{t("drop.title")}</span>
        <span className="mt-0.5 text-muted text-sm">{t("drop.formats")}</span>
        <input
          ref={input}
          id={id}
          type="file"
          name={name}
          multiple
          accept={accept}
          className="sr-only"
          onChange={takeChosen}
        />
      </label>
    </>
  );
}
