// A select whose options are too many to list: a combobox that searches them through the API by name. Before hydration
// and without JavaScript it is a native select of the first options. The form sends the chosen option's value.
import { ChevronsUpDown } from "lucide-react";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { ChoiceList } from "../client/choice-lists.ts";
import { optionAfterKey } from "../client/option-keys.ts";
import { useChosenOption } from "../client/use-chosen-option.ts";
import { useShownOptions } from "../client/use-shown-options.ts";
import { Input } from "../ui/Input.tsx";
import { OptionList, optionId } from "../ui/OptionList.tsx";
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
  const { id, name, label, list, teamId, options, none, value } = props;
  const all = none ? [none, ...options] : options;
  const select = useChosenOption({ list, teamId, options: all, noneValue: none?.value, value });
  if (select.isLive) return <SearchField {...props} select={select} />;
  return (
    <Select
      ref={select.plain}
      id={id}
      name={name}
      aria-label={label}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid || undefined}
      options={all}
      defaultValue={value}
    />
  );
}

type SearchFieldProps = SearchSelectProps & { select: ReturnType<typeof useChosenOption> };

/** The combobox that replaces the native select, with its list and the hidden field that the form sends. */
function SearchField(props: SearchFieldProps) {
  const { id, name, label, list, teamId, options, none, value, select, onChoose, adds, inFlow } = props;
  const { chosen, sent, hadFocus } = select;
  /** What was typed since the list was opened; null while the field shows the chosen option. */
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const field = useRef<HTMLInputElement>(null);

  const text = (typed ?? "").trim();
  const { shown, isSearching, line, said } = useShownOptions({ list, teamId, options, none, text });
  const active = Math.min(marked, shown.length - 1);
  const listId = `${id}-list`;

  // In the same task as the replacement, so that no key goes elsewhere.
  useLayoutEffect(() => {
    if (hadFocus.current) field.current?.focus();
  }, [hadFocus]);

  // What is typed next replaces the choice, also after Escape.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the shown text
  useLayoutEffect(() => {
    if (typed === null && field.current === document.activeElement) field.current?.select();
  }, [typed, chosen]);

  function open() {
    if (isOpen) return;
    const at = shown.findIndex((option) => option.value === chosen.value);
    setMarked(Math.max(0, at));
    setOpen(true);
  }

  function close() {
    setOpen(false);
    setTyped(null);
  }

  function choose(option: Option) {
    close();
    if (adds) return onChoose?.(option.value, option.label);
    select.choose(option);
    if (option.value === chosen.value) return;
    onChoose?.(option.value, option.label);
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
        aria-controls={listId}
        aria-activedescendant={isOpen && shown[active] ? optionId(listId, active) : undefined}
        aria-autocomplete="list"
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid || undefined}
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
        onInput={({ currentTarget }) => select.restore(currentTarget.value)}
      />
      <OptionList
        id={listId}
        label={label}
        isOpen={isOpen}
        isSearching={isSearching}
        options={shown}
        active={active}
        chosen={chosen.value}
        text={line}
        inFlow={inFlow}
        onMark={setMarked}
        onChoose={choose}
      />
      <p role="status" className="sr-only">
        {isOpen && said}
      </p>
    </div>
  );
}
