// What the list of a searched select shows for a typed text: its options, the line below them, and what a screen reader
// hears. Knows nothing of keys or of the choice.
import { useTranslation } from "#translations";
import type { Option } from "../ui/Select.tsx";
import type { ChoiceList } from "./choice-lists.ts";
import { useFoundChoices } from "./choices.ts";

export interface SearchedOptions {
  /** The list that is searched, and its team's id or slug. */
  list: ChoiceList;
  teamId: string;
  /** The first options of the list. */
  options: Option[];
  /** The option for no choice. */
  none?: Option | undefined;
  /** The typed text; empty for the options that the page came with. */
  text: string;
}

export interface ShownOptions {
  shown: Option[];
  isSearching: boolean;
  line: string | null;
  said: string;
}

export function useShownOptions({ list, teamId, options, none, text }: SearchedOptions): ShownOptions {
  const { t } = useTranslation("inputs");
  const found = useFoundChoices(list, teamId, text);
  if (text === "") {
    const all = none ? [none, ...options] : options;
    return {
      shown: all,
      isSearching: false,
      line: t(all.length === 0 ? "choice.none" : "choice.partial"),
      said: "",
    };
  }
  if (!found) {
    const matches = options.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
    return { shown: matches, isSearching: true, line: null, said: "" };
  }
  const { options: shown, isFailed, isPartial } = found;
  if (isFailed) return { shown, isSearching: false, line: t("choice.failed"), said: t("choice.failed") };
  const count = t("choice.found", { count: shown.length });
  if (isPartial) {
    const more = t("choice.more");
    return { shown, isSearching: false, line: more, said: `${count}. ${more}` };
  }
  return { shown, isSearching: false, line: shown.length === 0 ? t("choice.none") : null, said: count };
}
