// A line or block of code: selectable, with a copy button.
import { useTranslation } from "#translations";
import { CopyButton } from "../ui/CopyButton.tsx";

export interface CopyTextProps {
  text: string;
  /** Describes it for screen readers. */
  label: string;
}

CopyText.namespaces = ["inputs"];

export function CopyText({ text, label }: CopyTextProps) {
  const { t } = useTranslation("inputs");
  return (
    <div className="flex items-start gap-1 rounded-md border border-line bg-sunken">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className="scroll-x min-w-0 flex-1 [--scroll-ground:var(--color-sunken)] rounded-md px-3 py-2 font-mono text-sm"
      >
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} label={t("copy.label", { label })} copied={t("copy.done")} className="m-0.5" />
    </div>
  );
}
