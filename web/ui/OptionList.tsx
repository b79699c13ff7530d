// The list below a combobox, which keeps the focus: its options, with the marked and the chosen one, and a line of text below them.
import { useEffect } from "react";
import { Button } from "./Button.tsx";
import { ScrollArea } from "./ScrollArea.tsx";
import type { Option } from "./Select.tsx";

/** The id of an option's element, for aria-activedescendant. */
export const optionId = (listId: string, at: number) => `${listId}-option${at}`;

export interface OptionListProps {
  id: string;
  label: string;
  isOpen: boolean;
  isSearching: boolean;
  options: Option[];
  /** Index of the option that Enter chooses. */
  active: number;
  chosen: string;
  text: string | null;
  /** Whether the list pushes what follows down, for use in a dialog, which would cut it off. */
  inFlow?: boolean | undefined;
  onMark(at: number): void;
  onChoose(option: Option): void;
}

export function OptionList(props: OptionListProps) {
  const { id, label, isOpen, isSearching, options, active, chosen, text, inFlow, onMark, onChoose } = props;

  const activeId = isOpen && options[active] ? optionId(id, active) : undefined;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  return (
    <div
      hidden={!isOpen}
      className={`mt-1 overflow-hidden rounded-md border border-line bg-raised text-base ${inFlow ? "" : "absolute inset-x-0 top-full z-40 shadow-popover"}`}
    >
      <ScrollArea
        id={id}
        role="listbox"
        aria-label={label}
        aria-busy={isSearching}
        className="max-h-64 scroll-py-1 overscroll-contain p-1 empty:hidden"
      >
        {isOpen &&
          options.map((option, at) => (
            <Button
              key={option.value}
              id={optionId(id, at)}
              variant="bare"
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={option.value === chosen}
              data-active={at === active || undefined}
              dir="auto"
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => onMark(at)}
              onClick={() => onChoose(option)}
              className="block w-full rounded-sm px-2 py-1.5 text-start aria-selected:font-medium data-active:bg-hover"
            >
              {option.label}
            </Button>
          ))}
      </ScrollArea>
      {text !== null && (
        <p className="border-line border-t px-3 py-1.5 text-muted text-sm first:border-0">{text}</p>
      )}
    </div>
  );
}
