// A multi-line text field; grows with its content in browsers with field-sizing.
import type { ComponentProps } from "react";
import { controlClass } from "./Input.tsx";

const LINE_REM = 1.375;
const PADDING_REM = 1.125;

/** `rows` is the minimum height in lines. */
export function Textarea({ className = "", rows = 4, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      {...props}
      rows={rows}
      style={{ minHeight: `${rows * LINE_REM + PADDING_REM}rem` }}
      className={`${controlClass} field-sizing-content max-h-96 py-2 ${className}`}
    />
  );
}
