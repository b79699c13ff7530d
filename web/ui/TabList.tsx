// Tabs inside one island, one panel shown at a time: arrow keys, Home and End move between tabs, and Tab moves into the
// panel. For pages with addresses of their own, use Tabs.
import { type KeyboardEvent, useRef } from "react";

export interface TabListProps<Name extends string> {
  label: string;
  tabs: readonly { name: Name; label: string }[];
  chosen: Name;
  onChoose(name: Name): void;
  /** Id of the panel, which spreads `tabPanel(panelId, chosen)`. */
  panelId: string;
  className?: string;
}

const tabId = (panelId: string, name: string) => `${panelId}-${name}`;

/** Attributes of the selected tab's panel. */
export const tabPanel = (panelId: string, chosen: string) => ({
  id: panelId,
  role: "tabpanel",
  "aria-labelledby": tabId(panelId, chosen),
});

export function TabList<Name extends string>(props: TabListProps<Name>) {
  const { label, tabs, chosen, onChoose, panelId, className = "" } = props;
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = (next + tabs.length) % tabs.length;
    const tab = tabs[to];
    if (!tab) return;
    onChoose(tab.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
  }

  return (
    <div ref={list} role="tablist" aria-label={label} className={`flex gap-1 ${className}`}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          id={tabId(panelId, tab.name)}
          type="button"
          role="tab"
          aria-selected={tab.name === chosen}
          aria-controls={panelId}
          tabIndex={tab.name === chosen ? 0 : -1}
          onClick={() => onChoose(tab.name)}
          onKeyDown={onKeyDown}
          className="h-8 truncate rounded-md px-3 font-medium text-muted text-sm hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent-ink"
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
