// The one button. With `href` it is a link with the same look; inside a form it is the submit button.
import type { ComponentProps, ReactNode } from "react";
import { buttonLook, isFramed, type Size, type Variant } from "./looks.ts";

interface Look {
  variant?: Variant;
  size?: Size;
  icon?: ReactNode;
}

export type ButtonProps = Look &
  (({ href: string } & ComponentProps<"a">) | ({ href?: undefined } & ComponentProps<"button">));

export function Button({
  variant = "secondary",
  size,
  icon,
  className = "",
  children,
  ...rest
}: ButtonProps) {
  // A user-chosen name can be longer than any line, so it is truncated. An icon after the text stays next to it.
  const isText = [children].flat().every((child) => typeof child === "string");
  const label = isText && isFramed(variant) ? <span className="min-w-0 truncate">{children}</span> : children;
  const classes = `${buttonLook({ variant, size })} ${className}`;
  if (rest.href !== undefined) {
    return (
      <a {...rest} className={classes}>
        {icon}
        {label}
      </a>
    );
  }
  const { type = "submit", ...props } = rest;
  // Marks and rows say something even where nothing can be opened.
  const needsScripts = props.onClick && type === "button" && variant !== "bare";
  return (
    <button {...props} type={type} className={needsScripts ? `${classes} noscript:hidden` : classes}>
      {icon}
      {label}
    </button>
  );
}
