// Owns the command palette's entries in the gallery: one per group.
import type { Palette, PaletteGroup } from "../render/palette.ts";
import { i18nFor } from "../request/i18n.ts";
import { paletteWords } from "../request/palette.ts";
import { localeOf } from "./request.ts";
import { textFor } from "./texts.ts";

/** In the language of the view's address, and with long texts when the address asks for them. */
export function samplePalette({ searchParams }: URL): Palette {
  const { t } = i18nFor(localeOf(searchParams.get("gallery-lang")));
  const long = searchParams.get("gallery-state") === "long";
  const words = paletteWords(t);
  const listed = (Object.keys(words.groups) as PaletteGroup[]).filter((group) => group !== "ask");
  return {
    items: listed.map((group, at) => ({
      id: group,
      group,
      label: textFor("name", at, long),
      hint: textFor("team", at + 1, long),
      href: "/gallery",
    })),
    found: [],
    asks: { id: "1", name: textFor("name", 0, long) },
    words,
  };
}
