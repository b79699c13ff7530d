// A select whose options are too many to list: a combobox that searches them through the API by name. Before hydration
// and without JavaScript it is a native select of the first options. The form sends the chosen option's value.
import { ChevronsUpDown } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "#translations";
import type { ChoiceList } from "../client/choice-lists.ts";
import { readChoice, useFoundChoices } from "../client/choices.ts";
import { optionAfterKey } from "../client/option-keys.ts";
import { Button } from "../ui/Button.tsx";
import { Input } from "../ui/Input.tsx";
import { ScrollArea } from "../ui/ScrollArea.tsx";
import { type Option, Select } from "../ui/Select.tsx";

export interface SearchSelectProps {
  id: string;
  /** Name of the field that the form sends. */
  name: string;
  label: string;
  /** The list that is searched, and its team's id or slug. */
  list: ChoiceList;
  teamId: string;
  /** The first options, and the chosen one. */
  options: Option[];
  /** The option for no choice, always the first. */
  none?: Option;
  value: string;
  describedBy?: string;
  invalid?: boolean;
  /** For use inside another island. */
  onChoose?(value: string, label: string): void;
  /** Whether the field stays empty after a choice, which adds to a list. */
  adds?: boolean;
  /** Whether the list pushes what follows down, for use in a dialog, which would cut it off. */
  inFlow?: boolean;
}

SearchSelect.namespaces = ["inputs"];
SearchSelect.stays = true;

export function SearchSelect(props: SearchSelectProps) {
  const {
    id,
    name,
    label,
    list,
    teamId,
    options,
    none,
    value,
    describedBy,
    invalid,
    onChoose,
    adds,
    inFlow,
  } = props;
  const { t } = useTranslation("inputs");
  const [live, setLive] = useState(false);
  const all = none ? [none, ...options] : options;
  const labelOf = (wanted: string) => all.find((option) => option.value === wanted)?.label;
  const [chosen, setChosen] = useState({ value, label: labelOf(value) ?? "" });
  /** What was typed since the list was opened; null while the field shows the chosen option. */
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const plain = useRef<HTMLSelectElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef<HTMLInputElement>(null);
  const hadFocus = useRef(false);

  const text = (typed ?? "").trim();
  const found = useFoundChoices(list, teamId, text);
  const matches = options.filter((option) => option.label.toLowerCase().includes(text.toLowerCase()));
  const shown = text === "" ? all : (found?.options ?? matches);
  const active = Math.min(marked, shown.length - 1);
  const activeId = isOpen && shown[active] ? `${id}-option${active}` : undefined;
  const isSearching = text !== "" && !found;
  const isEmpty = shown.length === 0 && !isSearching;
  const isPartial = text === "" || found?.isPartial;

  useEffect(() => {
    const { current: select } = plain;
    // Keeps what was chosen or restored before hydration.
    const wanted = select?.dataset.wanted;
    if (wanted) setChosen({ value: wanted, label: "" });
    else if (select) setChosen({ value: select.value, label: select.selectedOptions[0]?.label ?? "" });
    hadFocus.current = select !== null && select === document.activeElement;
    setLive(true);
  }, []);
  // In the same task as the replacement, so that no key goes elsewhere.
  useLayoutEffect(() => {
    if (live && hadFocus.current) field.current?.focus();
  }, [live]);

  // What is typed next replaces the choice, also after Escape.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the shown text
  useLayoutEffect(() => {
    if (typed === null && field.current === document.activeElement) field.current?.select();
  }, [typed, chosen]);

  // The page was loaded again with another choice, for example without its filters.
  const given = useRef(value);
  useEffect(() => {
    if (given.current === value) return;
    given.current = value;
    setChosen({ value, label: labelOf(value) ?? "" });
  });
  function send(next: string) {
    const { current: input } = sent;
    if (!input || input.value === next) return;
    input.value = next;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is rendered only when live
  useEffect(() => send(chosen.value), [chosen.value, live]);

  // Text that was stored for a returning reader has the value alone.
  useEffect(() => {
    if (chosen.label || !chosen.value || chosen.value === none?.value) return;
    let isCurrent = true;
    readChoice(list, teamId, chosen.value).then(
      (option) => isCurrent && option && setChosen(option),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [chosen, none, list, teamId]);

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  if (!live) {
    return (
      <Select
        ref={plain}
        id={id}
        name={name}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        options={all}
        defaultValue={value}
      />
    );
  }

  function open() {
    if (isOpen) return;
    setMarked(
      Math.max(
        0,
        all.findIndex((option) => option.value === chosen.value),
      ),
    );
    setOpen(true);
  }

  function close() {
    setOpen(false);
    setTyped(null);
  }

  function choose(option: Option) {
    close();
    if (adds) return onChoose?.(option.value, option.label);
    setChosen(option);
    if (option.value === chosen.value) return;
    onChoose?.(option.value, option.label);
    // At once: the form is submitted before React would have rendered.
    send(option.value);
    const form = sent.current?.form;
    if (form && "auto" in form.dataset) form.requestSubmit();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const { key, altKey } = event;
    const next = optionAfterKey(key, active, shown.length);
    // The field is no text of the form's: Enter chooses, and does not submit.
    if (key === "Enter" || next !== null || (key === "Escape" && isOpen)) event.preventDefault();
    const option = shown[active];
    if (key === "Enter" && isOpen && option) choose(option);
    else if (key === "Escape" || (key === "ArrowUp" && altKey)) close();
    else if (next !== null && isOpen) setMarked(next);
    else if (next !== null) open();
  }

  return (
    <div className="relative min-w-0">
      <Input
        ref={field}
        id={id}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed ?? chosen.label}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={open}
        onChange={({ target }) => {
          setTyped(target.value);
          setMarked(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
        className="truncate pr-8"
      />
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-muted"
      />
      {/* The field that the form sends. Its default stays what the server sent, so that changes are found. */}
      <Input
        ref={sent}
        type="text"
        hidden
        readOnly
        name={name}
        defaultValue={value}
        onInput={({ currentTarget: { value: restored } }) =>
          restored !== chosen.value && setChosen({ value: restored, label: labelOf(restored) ?? "" })
        }
      />
      <div
        hidden={!isOpen}
        className={`mt-1 overflow-hidden rounded-md border border-line bg-raised text-base ${inFlow ? "" : "absolute inset-x-0 top-full z-40 shadow-popover"}`}
      >
        <ScrollArea
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          aria-busy={isSearching}
          className="max-h-64 scroll-py-1 overscroll-contain p-1 empty:hidden"
        >
          {isOpen &&
            shown.map((option, at) => (
              <Button
                key={option.value}
                id={`${id}-option${at}`}
                variant="bare"
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={option.value === chosen.value}
                data-active={at === active || undefined}
                dir="auto"
                // The field keeps the focus.
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => setMarked(at)}
                onClick={() => choose(option)}
                className="block w-full rounded-sm px-2 py-1.5 text-start aria-selected:font-medium data-active:bg-hover"
              >
                {option.label}
              </Button>
            ))}
        </ScrollArea>
        {(isEmpty || isPartial) && (
          <p className="border-line border-t px-3 py-1.5 text-muted text-sm first:border-0">
            {isEmpty ? t(found?.isFailed ? "choice.failed" : "choice.none") : t("choice.partial")}
          </p>
        )}
      </div>
      <p role="status" className="sr-only">
        {isOpen && found && !found.isFailed && t("choice.found", { count: found.options.length })}
      </p>
    </div>
  );
}
