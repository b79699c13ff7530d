// The one copy button. Its icon changes after copying, and a live region announces it once. Its name stays the same, or
// it would be read again. For islands.
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./IconButton.tsx";

export interface CopyButtonProps {
  text: string;
  label: string;
  /** Announced after copying. */
  copied: string;
  className?: string;
}

const SHOWN_MS = 2000;

/** A role=log announces additions itself; another live region inside it would repeat them. */
function speak(said: HTMLElement | null): void {
  if (said && !said.closest("[role=log]")) said.setAttribute("role", "status");
}

export function CopyButton({ text, label, copied, className = "" }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <>
      <IconButton
        label={label}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
        className={`[&_svg]:size-4 ${className}`}
      >
        {done ? <Check aria-hidden className="text-good" /> : <Copy aria-hidden />}
      </IconButton>
      <span ref={speak} className="sr-only">
        {done && copied}
      </span>
    </>
  );
}
