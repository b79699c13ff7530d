// The classes of buttons and dialogs, shared with code that does not use React.

/**
 * `chip` offers a text to choose, `link` is inside a text, `bare` takes its look from its container: a row, a mark, an
 * option.
 */
export type Variant = Framed | "chip" | "link" | "bare";
type Framed = "primary" | "secondary" | "field" | "ghost" | "danger";
export type Size = "sm" | "md" | "lg" | "icon";

const base =
  "inline-flex max-w-full select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors disabled:opacity-55 aria-disabled:opacity-55";

const framed: Record<Framed, string> = {
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border-line bg-raised text-ink hover:bg-hover",
  // Stands among fields, and has their border.
  field: "border-line-strong bg-ground text-ink hover:border-muted",
  ghost: "border-transparent text-muted hover:bg-hover hover:text-ink",
  danger: "border-transparent bg-bad-solid text-white hover:brightness-110",
};

const unframed: Record<Exclude<Variant, Framed>, string> = {
  chip: "rounded-md border border-line bg-raised px-3 py-1.5 text-left text-sm transition-colors [overflow-wrap:anywhere] hover:bg-hover",
  link: "hover:text-ink hover:underline",
  bare: "",
};

const sizes: Record<Size, string> = {
  sm: "h-7 px-2.5 text-sm",
  md: "h-8 px-3 text-sm",
  lg: "h-10 px-4 text-base",
  icon: "size-8 p-0 text-sm",
};

export const isFramed = (variant: Variant): variant is Framed => variant in framed;

export const buttonLook = ({
  variant = "secondary",
  size = "md",
}: {
  variant?: Variant;
  size?: Size;
}): string => (isFramed(variant) ? `${base} ${framed[variant]} ${sizes[size]}` : unframed[variant]);

/** Centred even when it is open from the start: only the browser can make a dialog modal. */
export const dialogLook =
  "fixed inset-0 z-50 m-auto h-fit max-h-[calc(100dvh-2rem)] overflow-y-auto w-[min(28rem,calc(100vw-2rem))] rounded-md border border-line bg-raised p-5 text-left shadow-popover whitespace-normal backdrop:bg-black/40";
