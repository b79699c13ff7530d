// Owns the colours derived from an agent's brand colour: text on it, links and marks in it, all readable (WCAG 2.2: 4.5
// to 1) on light and dark backgrounds. Pure.

/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

export const BRAND_PATTERN = /^#[0-9a-f]{6}$/;
export const READABLE = 4.5;
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** The backgrounds of ui/styles.css for text in the colour, from the plainest to the one with the least contrast. */
export const GROUNDS = {
  light: ["#ffffff", "#f7f7f8", "#f1f1f3", "#e8e8ec"],
  dark: ["#0e0e11", "#09090b", "#17171b", "#1d1d22", "#26262c"],
} as const;
type Scheme = keyof typeof GROUNDS;

const toRgb = (color: string): Rgb => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
];
const toHex = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
/** @param share of `other`, 0 to 1 */
const mix = (rgb: Rgb, other: Rgb, share: number): Rgb => [
  rgb[0] + (other[0] - rgb[0]) * share,
  rgb[1] + (other[1] - rgb[1]) * share,
  rgb[2] + (other[2] - rgb[2]) * share,
];

/** Relative luminance, as defined by https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminance(color: string): number {
  const [red, green, blue] = toRgb(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** 1 to 21. @param one and @param other as #rrggbb */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Black or white: one of the two reaches 4.5 on every colour. */
export const textOn = (color: string): string =>
  contrast(color, "#ffffff") >= contrast(color, "#000000") ? "#ffffff" : "#000000";

/** The colour, moved towards black or white only as far as needed to be readable on every background. */
function readableOn(color: string, grounds: readonly string[], towards: Rgb): string {
  for (let share = 0; share < 1; share += 0.02) {
    const moved = toHex(mix(toRgb(color), towards, share));
    if (grounds.every((ground) => contrast(moved, ground) >= READABLE)) return moved;
  }
  return toHex(towards);
}

export interface BrandColors {
  /** The chosen colour, behind buttons. */
  fill: string;
  hover: string;
  /** Text on both. */
  onFill: string;
  /** A subtle background in the colour. */
  soft: { [S in Scheme]: string };
  /** Links, marks and the focus ring. */
  ink: { [S in Scheme]: string };
}

/** @param color as #rrggbb */
export function brandColors(color: string): BrandColors {
  const rgb = toRgb(color);
  const onFill = textOn(color);
  const soft = {
    light: toHex(mix(WHITE, rgb, 0.1)),
    dark: toHex(mix(toRgb(GROUNDS.dark[0]), rgb, 0.22)),
  };
  return {
    fill: color,
    // Away from the text's colour, so that the contrast never drops.
    hover: toHex(mix(rgb, onFill === "#ffffff" ? BLACK : WHITE, 0.12)),
    onFill,
    soft,
    ink: {
      light: readableOn(color, [...GROUNDS.light, soft.light], BLACK),
      dark: readableOn(color, [...GROUNDS.dark, soft.dark], WHITE),
    },
  };
}

/**
 * The design system's tokens in an agent's colour, as a style for the element around everything; undefined without a
 * colour.
 */
export function brandStyle(color: string): Record<`--${string}`, string> | undefined {
  if (!BRAND_PATTERN.test(color)) return undefined;
  const { fill, hover, onFill, soft, ink } = brandColors(color);
  const inBoth = (of: { light: string; dark: string }) => `light-dark(${of.light}, ${of.dark})`;
  return {
    "--color-accent": fill,
    "--color-accent-hover": hover,
    "--color-on-accent": onFill,
    "--color-accent-soft": inBoth(soft),
    "--color-accent-ink": inBoth(ink),
    "--focus": inBoth(ink),
  };
}
