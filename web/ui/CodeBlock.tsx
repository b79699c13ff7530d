// A code block with its language and a copy button. Pure without the copy button.
import { CopyButton } from "./CopyButton.tsx";

export interface CopyWords {
  copy: string;
  copied: string;
}

export interface CodeBlockProps {
  text: string;
  language?: string;
  copy?: CopyWords;
}

export function CodeBlock({ text, language, copy }: CodeBlockProps) {
  const code = (
    <pre
      dir="ltr"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className={`scroll-x [--scroll-ground:var(--color-sunken)] p-3 font-mono text-sm [overflow-wrap:normal] ${copy ? "" : "my-3 rounded-md border border-line"}`}
    >
      <code>{text}</code>
    </pre>
  );
  if (!copy) return code;
  return (
    <div className="my-3 overflow-hidden rounded-md border border-line">
      <div className="flex h-8 items-center justify-between border-line border-b pr-1 pl-3 text-muted text-xs">
        <span>{language}</span>
        <CopyButton
          text={text}
          label={copy.copy}
          copied={copy.copied}
          className="size-6 rounded-sm [&_svg]:size-3.5"
        />
      </div>
      {code}
    </div>
  );
}
