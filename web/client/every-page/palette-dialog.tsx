// The command palette: finds pages, actions, agents, knowledge bases and teams by a few letters. A combobox over a
// list, in the platform's modal dialog. Loaded when it is first opened.
import {
  Bot,
  CornerDownLeft,
  File,
  FileText,
  LibraryBig,
  MessageCircleQuestion,
  MessagesSquare,
  Plug,
  Quote,
  Search,
  UsersRound,
  Zap,
} from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { lines, type PaletteItem } from "../../render/palette.ts";
import { Button } from "../../ui/Button.tsx";
import { InlineText } from "../../ui/InlineText.tsx";
import { ScrollArea } from "../../ui/ScrollArea.tsx";
import { optionAfterKey } from "../option-keys.ts";
import { loginHref } from "../page.ts";
import { storeQuestion } from "../pending-question.ts";
import { start } from "./start.ts";
import { usePalette } from "./use-palette.ts";

const icons = {
  pages: FileText,
  actions: Zap,
  agents: Bot,
  knowledges: LibraryBig,
  sources: Plug,
  documents: File,
  passages: Quote,
  chats: MessagesSquare,
  teams: UsersRound,
  ask: MessageCircleQuestion,
};

/** Runs an item without an address: posts its form, as a button on the page would. */
function post({ action, name, value }: NonNullable<PaletteItem["form"]>): void {
  const form = Object.assign(document.createElement("form"), { method: "post", action });
  if (name && value)
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
}

function PaletteList({ onDone }: { onDone: () => void }) {
  const [query, setQuery] = useState("");
  const [marked, setMarked] = useState(0);
  const text = query.trim();
  const { palette, ended, failed, found, foundFor } = usePalette(text);
  const words = palette?.words;
  const items = ended ? [{ ...ended.item, href: loginHref() }] : palette ? lines(palette, found, query) : [];
  const active = Math.min(marked, items.length - 1);
  const isLoading = !palette && !failed && !ended;
  const searching = !ended && text !== "" && foundFor !== text;
  const isEmpty = palette && !searching && items.every(({ group }) => group === "ask");
  const message = !ended && (failed ? start.labels.unavailable : isEmpty && words?.empty);

  const activeId = items[active] && `palette-${items[active].id}`;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  function onKeyDown(event: KeyboardEvent) {
    const next = optionAfterKey(event.key, active, items.length);
    if (next !== null) {
      event.preventDefault();
      setMarked(next);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (activeId) document.getElementById(activeId)?.click();
    }
  }

  return (
    <>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type in
          autoFocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          aria-label={start.labels.palette}
          placeholder={words?.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value);
            setMarked(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 text-ellipsis bg-transparent text-lg outline-none placeholder:text-faint"
        />
        <kbd className="kbd">Esc</kbd>
      </div>
      <ScrollArea
        id="palette-list"
        role="listbox"
        aria-label={start.labels.palette}
        aria-busy={isLoading || searching}
        className="max-h-[min(24rem,60dvh)] scroll-py-2 overscroll-contain p-2"
      >
        {items.map((item, index) => (
          <PaletteLine
            key={item.id}
            item={item}
            heading={
              ended?.title ?? (items[index - 1]?.group === item.group ? undefined : words?.groups[item.group])
            }
            active={index === active}
            onPoint={() => setMarked(index)}
            onDone={onDone}
          />
        ))}
      </ScrollArea>
      {isLoading && (
        <div aria-hidden className="-mt-2 space-y-3 px-4 pt-2 pb-5">
          <div className="skeleton h-4 w-1/3" />
          <div className="skeleton h-4 w-1/2" />
          <div className="skeleton h-4 w-2/5" />
        </div>
      )}
      {message && <p className="-mt-2 px-4 pt-4 pb-8 text-center text-muted">{message}</p>}
      <p role="status" className="sr-only">
        {ended?.title ?? words?.results.replace("{count}", String(items.length))}
      </p>
    </>
  );
}

interface LineProps {
  item: PaletteItem;
  /** Heading of the group that starts with this line. */
  heading: string | undefined;
  active: boolean;
  onPoint: () => void;
  onDone: () => void;
}

function PaletteLine({ item, heading, active, onPoint, onDone }: LineProps) {
  const { id, group, label, hint, href, form, question, chooses } = item;
  const Icon = icons[group];
  const content = (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-faint" />
      <span className={hint ? "max-w-1/2 shrink-0 truncate" : "min-w-0 truncate"}>{label}</span>
      {hint && (
        <span className="min-w-0 truncate text-muted text-sm">
          <InlineText text={hint} />
        </span>
      )}
      {active && <CornerDownLeft aria-hidden className="ml-auto size-3.5 shrink-0 text-faint" />}
    </>
  );
  const attributes = {
    id: `palette-${id}`,
    role: "option",
    "aria-selected": active,
    tabIndex: -1,
    onPointerMove: onPoint,
    className: "flex h-9 w-full items-center gap-2.5 rounded-sm px-2 text-left aria-selected:bg-hover",
  };
  return (
    <>
      {heading && (
        <p aria-hidden className="px-2 pt-2 pb-1 font-medium text-faint text-xs">
          {heading}
        </p>
      )}
      {href ? (
        <a
          {...attributes}
          href={href}
          data-reload={question && ""}
          onClick={() => {
            if (question) storeQuestion(question.agentId, question.text);
            onDone();
          }}
        >
          {content}
        </a>
      ) : (
        <Button
          variant="bare"
          {...attributes}
          type="button"
          onClick={() => {
            onDone();
            if (form) post(form);
            if (chooses) void import("./drop-dialog.tsx").then(({ chooseFiles }) => chooseFiles());
          }}
        >
          {content}
        </Button>
      )}
    </>
  );
}

let dialog: HTMLDialogElement | undefined;
let root: Root | undefined;

/** Opens the palette, or closes it when it is open. */
export function togglePalette(): void {
  if (dialog?.open) {
    dialog.close();
    return;
  }
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.className = "palette";
    dialog.ariaLabel = start.labels.palette;
    dialog.setAttribute("closedby", "any");
    dialog.addEventListener("close", () => root?.render(null));
    // Back and Forward show another page, which it does not belong to.
    addEventListener("popstate", () => dialog?.close());
    root = createRoot(dialog);
  }
  const element = dialog;
  document.body.append(element);
  flushSync(() => root?.render(<PaletteList onDone={() => element.close()} />));
  element.showModal();
}
