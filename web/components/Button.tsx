// The one button. With `href` it is a link that looks the same; inside a form it is the submit button.
import type { ComponentProps, ReactNode } from "react";

type Variant = "primary" | "secondary" | "ghost" | "danger";
type Size = "sm" | "md" | "lg" | "icon";

const base =
  "inline-flex select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors disabled:opacity-55 aria-disabled:opacity-55";

const variants: Record<Variant, string> = {
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border-line bg-raised text-ink hover:bg-hover",
  ghost: "border-transparent text-muted hover:bg-hover hover:text-ink",
  danger: "border-transparent bg-bad-solid text-white hover:brightness-110",
};

const sizes: Record<Size, string> = {
  sm: "h-7 px-2.5 text-sm",
  md: "h-8 px-3 text-sm",
  lg: "h-10 px-4 text-base",
  icon: "size-8 p-0 text-sm",
};

interface Look {
  variant?: Variant;
  size?: Size;
  icon?: ReactNode;
}

export type ButtonProps = Look &
  (({ href: string } & ComponentProps<"a">) | ({ href?: undefined } & ComponentProps<"button">));

export function Button({
  variant = "secondary",
  size = "md",
  icon,
  className = "",
  children,
  ...rest
}: ButtonProps) {
  const classes = `${base} ${variants[variant]} ${sizes[size]} ${className}`;
  if (rest.href !== undefined) {
    return (
      <a {...rest} className={classes}>
        {icon}
        {children}
      </a>
    );
  }
  const { type = "submit", ...props } = rest;
  return (
    <button {...props} type={type} className={classes}>
      {icon}
      {children}
    </button>
  );
}
