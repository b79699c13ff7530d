// The chosen option of a searched select, and the hidden field with which a form sends it. Knows nothing of the search or the list.
import { useEffect, useRef, useState } from "react";
import type { Option } from "../ui/Select.tsx";
import type { ChoiceList } from "./choice-lists.ts";
import { readChoice } from "./choices.ts";

export interface ChoosableOptions {
  /** The list that is searched, and its team's id or slug. */
  list: ChoiceList;
  teamId: string;
  /** The options that the page came with, among them that of `value`. */
  options: Option[];
  /** Value of the option for no choice. */
  noneValue: string | undefined;
  value: string;
}

export function useChosenOption({ list, teamId, options, noneValue, value }: ChoosableOptions) {
  const labelOf = (wanted: string) => options.find((option) => option.value === wanted)?.label ?? "";
  const [isLive, setLive] = useState(false);
  const [chosen, setChosen] = useState({ value, label: labelOf(value) });
  /** The native select, until the component is live. */
  const plain = useRef<HTMLSelectElement>(null);
  const sent = useRef<HTMLInputElement>(null);
  const hadFocus = useRef(false);

  useEffect(() => {
    const { current: select } = plain;
    // Keeps what was chosen or restored before hydration.
    const wanted = select?.dataset.wanted;
    if (wanted) setChosen({ value: wanted, label: "" });
    else if (select) setChosen({ value: select.value, label: select.selectedOptions[0]?.label ?? "" });
    hadFocus.current = select !== null && select === document.activeElement;
    setLive(true);
  }, []);

  // The page was loaded again with another choice, for example without its filters.
  const given = useRef(value);
  useEffect(() => {
    if (given.current === value) return;
    given.current = value;
    setChosen({ value, label: labelOf(value) });
  });

  function send(next: string) {
    const { current: input } = sent;
    if (!input || input.value === next) return;
    input.value = next;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is rendered only when live
  useEffect(() => send(chosen.value), [chosen.value, isLive]);

  // Text that was stored for a returning reader has the value alone.
  useEffect(() => {
    if (chosen.label || !chosen.value || chosen.value === noneValue) return;
    let isCurrent = true;
    readChoice(list, teamId, chosen.value).then(
      (option) => isCurrent && option && setChosen(option),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [chosen, noneValue, list, teamId]);

  return {
    isLive,
    chosen,
    plain,
    sent,
    hadFocus,
    /** Takes over a value that was written into the hidden field. */
    restore(restored: string) {
      if (restored !== chosen.value) setChosen({ value: restored, label: labelOf(restored) });
    },
    choose(option: Option) {
      setChosen(option);
      // At once: a form may be submitted before React has rendered.
      send(option.value);
    },
  };
}
