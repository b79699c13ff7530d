// A line or a piece of code to copy: shown as it is, selectable, with a button that copies it.
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "#translations";

export interface CopyTextProps {
  text: string;
  /** What it is, for screen readers. */
  label: string;
}

CopyText.namespaces = ["inputs"];
const SHOWN_MS = 2000;

export function CopyText({ text, label }: CopyTextProps) {
  const { t } = useTranslation("inputs");
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div className="flex items-start gap-1 rounded-md border border-line bg-sunken">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className="min-w-0 flex-1 overflow-x-auto rounded-md px-3 py-2 font-mono text-sm"
      >
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <button
        type="button"
        aria-label={copied ? t("copy.done") : t("copy.label", { label })}
        title={t("copy.short")}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
        className="icon-button m-0.5 noscript:hidden"
      >
        {copied ? (
          <Check aria-hidden className="size-4 text-good" />
        ) : (
          <Copy aria-hidden className="size-4" />
        )}
      </button>
      <span aria-live="polite" className="sr-only">
        {copied && t("copy.done")}
      </span>
    </div>
  );
}
