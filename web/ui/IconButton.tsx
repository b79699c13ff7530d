// An icon-only button: its label is its accessible name and its tooltip. For islands too.
import type { ComponentProps } from "react";

export interface IconButtonProps extends ComponentProps<"button"> {
  label: string;
}

export function IconButton({ label, type = "button", className = "", children, ...props }: IconButtonProps) {
  return (
    <button
      {...props}
      type={type}
      aria-label={label}
      data-tooltip={label}
      className={`icon-button ${props.onClick ? "noscript:hidden" : ""} ${className}`}
    >
      {children}
    </button>
  );
}
