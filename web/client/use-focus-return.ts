// Keeps the keyboard's place in an island when the control that had the focus is gone.
import { type RefObject, useEffect, useRef } from "react";

/** True when nothing on the page has the focus, as after its element was removed. */
export const isFocusLost = () => !document.activeElement || document.activeElement === document.body;

/**
 * Moves a lost focus to a control after a change of state, such as to the button that opened an editor once the editor
 * is closed.
 * @returns a ref for the control
 */
export function useFocusReturn<Control extends HTMLElement = HTMLButtonElement>(
  state: unknown,
): RefObject<Control | null> {
  const control = useRef<Control>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (isFocusLost()) control.current?.focus({ preventScroll: true });
  }, [state]);
  return control;
}
