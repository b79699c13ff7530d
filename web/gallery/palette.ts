// Owns what the command palette lists in the gallery: an item of each group.
import type { Palette, PaletteGroup } from "../renderer/palette.ts";
import { i18nFor } from "../server/i18n.ts";
import { localeOf } from "./request.ts";
import { textFor } from "./texts.ts";

/** @param from the address of the view that it is opened over */
export function samplePalette({ searchParams }: URL): Palette {
  const { t } = i18nFor(localeOf(searchParams.get("gallery-lang")));
  const long = searchParams.get("gallery-state") === "long";
  const groups: Record<PaletteGroup, string> = {
    pages: t("palette.pages"),
    actions: t("palette.actions"),
    agents: t("nav.agents"),
    knowledges: t("nav.knowledges"),
    sources: t("nav.sources"),
    documents: t("palette.documents"),
    passages: t("palette.passages"),
    chats: t("nav.chats"),
    teams: t("palette.teams"),
    ask: t("palette.askGroup"),
  };
  const listed = (Object.keys(groups) as PaletteGroup[]).filter((group) => group !== "ask");
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
    words: {
      placeholder: t("palette.placeholder"),
      empty: t("palette.empty"),
      results: t("palette.results"),
      ask: t("palette.ask"),
      groups,
    },
  };
}
