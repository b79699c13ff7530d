// The toast on the screen: Radix's, one at a time. Loaded with the first toast.
import * as Toast from "@radix-ui/react-toast";
import { X } from "lucide-react";
import { type FocusEvent, type ReactNode, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { loginHref, type UndoableToast as Message } from "../page.ts";
import { restore } from "./restoring.ts";
import { start } from "./start.ts";

const DURATION_MS = 5_000;
/** For a message that says how to save typed text. */
const LONG_MS = 20_000;
const SWIPE_PX = 50;
const ACTION =
  "-my-1 flex h-8 shrink-0 items-center rounded-md border border-line px-3 font-medium hover:bg-hover";

interface Shown extends Message {
  id: number;
  open: boolean;
}

let shown: Shown | null = null;
const listeners = new Set<() => void>();

function set(next: Shown | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Turns the support address in the text into a link. */
function withSupportLink(text: string): ReactNode {
  const { support } = document.documentElement.dataset;
  const at = support ? text.indexOf(support) : -1;
  if (!support || at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <a href={`mailto:${support}`} className="underline underline-offset-2">
        {support}
      </a>
      {text.slice(at + support.length)}
    </>
  );
}

/** What had the focus before the toast, which F8 or a click gives it. */
let focusedBefore: HTMLElement | null = null;

function noteFocus({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
    focusedBefore = relatedTarget;
}

/** Radix leaves the focus on the empty region, where the keyboard has nothing to do. */
function returnFocus(): void {
  if (document.activeElement?.closest("#toasts")) focusedBefore?.focus({ preventScroll: true });
}

function Toaster() {
  const message = useSyncExternalStore(subscribe, () => shown);
  const { close, notification, notifications, undo, logIn } = start.labels;
  const restoring = message?.restoring;
  const onUndo = message?.undo ?? (restoring && (() => void restore(restoring)));
  return (
    <Toast.Provider
      label={notification}
      duration={DURATION_MS}
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
    >
      {message && (
        <Toast.Root
          key={message.id}
          duration={message.isLong ? LONG_MS : undefined}
          open={message.open}
          // An error interrupts a screen reader; a success message waits.
          type={message.variant === "destructive" ? "foreground" : "background"}
          onOpenChange={(open) => {
            if (!open) returnFocus();
            set({ ...message, open });
          }}
          className="toast"
          data-variant={message.variant ?? "default"}
        >
          <div className="min-w-0 flex-1">
            <Toast.Title className="font-medium">{message.title}</Toast.Title>
            {message.description && (
              <Toast.Description className="toast-text">
                {withSupportLink(message.description)}
              </Toast.Description>
            )}
          </div>
          {onUndo && (
            <Toast.Action altText={undo} onClick={onUndo} className={ACTION}>
              {undo}
            </Toast.Action>
          )}
          {message.leadsToLogin && (
            <Toast.Action altText={logIn} asChild>
              <a href={loginHref()} className={ACTION}>
                {logIn}
              </a>
            </Toast.Action>
          )}
          <Toast.Close aria-label={close} className="icon-button -m-1.5">
            <X aria-hidden className="size-4" />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport hotkey={["F8"]} label={notifications} onFocus={noteFocus} className="toast-viewport" />
    </Toast.Provider>
  );
}

let count = 0;
let mounted = false;

/** Shows a message in place of the previous one. */
export function showToast(message: Message): void {
  const place = document.getElementById("toasts");
  if (!place) return;
  if (!mounted) {
    mounted = true;
    // From now on the viewport has its own region role.
    for (const name of ["role", "tabindex", "aria-label"]) place.removeAttribute(name);
    const root = createRoot(place);
    flushSync(() => root.render(<Toaster />));
  }
  set({ ...message, id: ++count, open: true });
}
