// The styles of the widget's button and panel, inside a shadow root: the page's styles do not apply to it, nor its
// styles to the page. Only the host is the page's to style, and its !important wins over the page's, but for display and
// visibility: a page may hide the widget.
export const STYLES = `
:host {
  all: initial;
  --ground: light-dark(#fff, #0e0e10);
  --ink: light-dark(#17171a, #ededf0);
  --line: light-dark(#e3e3e8, #2a2a30);
  --accent: light-dark(#4f46e5, #6d66f0);
  --above: 0px;
  --over: 0px;
  color-scheme: light dark;
  position: fixed !important;
  inset: auto 20px calc(20px + var(--above)) auto !important;
  z-index: 2147483647 !important;
  box-sizing: border-box !important;
  width: auto !important;
  height: auto !important;
  min-width: 0 !important;
  min-height: 0 !important;
  max-width: none !important;
  max-height: none !important;
  margin: 0 !important;
  padding: 0 !important;
  border: 0 !important;
  overflow: visible !important;
  background: none !important;
  clip-path: none !important;
  contain: none !important;
  opacity: 1 !important;
  filter: none !important;
  transform: none !important;
  translate: none !important;
  rotate: none !important;
  scale: none !important;
  zoom: 1 !important;
  pointer-events: auto !important;
  direction: ltr !important;
  writing-mode: horizontal-tb !important;
  text-align: start !important;
  text-transform: none !important;
  text-indent: 0 !important;
  letter-spacing: normal !important;
  word-spacing: normal !important;
  font: 14px/1.5 system-ui, sans-serif !important;
}
:host([data-theme="light"]) { color-scheme: light; }
:host([data-theme="dark"]) { color-scheme: dark; }
:host([data-side="left"]) { inset: auto auto calc(20px + var(--above)) 20px !important; }
button {
  all: unset;
  box-sizing: border-box;
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 10px;
  min-width: 56px;
  height: 56px;
  border-radius: 28px;
  background: var(--accent);
  color: #fff;
  cursor: pointer;
  box-shadow: 0 6px 24px rgb(0 0 0 / 0.22);
}
button:has(span:not([hidden])) { padding: 0 22px 0 17px; }
button:hover { box-shadow: 0 8px 30px rgb(0 0 0 / 0.34); }
/* Two colours, so that it is visible on a page of any colour. */
button:focus-visible { outline: 2px solid #fff; box-shadow: 0 0 0 5px #17171a; }
span { max-width: 50vw; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; font: 600 15px/1.5 system-ui, sans-serif; }
span[hidden] { display: none; }
svg { width: 26px; height: 26px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
dialog {
  position: absolute;
  inset: auto 0 calc(72px + var(--over)) auto;
  max-width: none;
  max-height: none;
  margin: 0;
  padding: 0;
  display: grid;
  place-items: center;
  box-sizing: border-box;
  width: min(400px, calc(100vw - 40px));
  height: min(640px, calc(100dvh - 112px - var(--above) - var(--over)));
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 14px;
  background: var(--ground);
  color: var(--ink);
  box-shadow: 0 16px 48px rgb(0 0 0 / 0.24);
}
:host([data-side="left"]) dialog { inset: auto auto calc(72px + var(--over)) 0; }
dialog:not([open]) { display: none; }
dialog:modal { position: fixed; }
dialog::backdrop { display: none; }
iframe { grid-area: 1 / 1; width: 100%; height: 100%; border: 0; }
p { grid-area: 1 / 1; margin: 0; padding: 24px; text-align: center; }
@media (max-width: 480px), (max-height: 480px) {
  :host([data-open]) { inset: 0 !important; }
  :host([data-open]) dialog { inset: 0; width: 100%; height: 100%; border: 0; border-radius: 0; }
  /* Once loaded, the frame has a close button of its own. */
  :host([data-open]) button { position: absolute; right: 16px; bottom: 16px; }
  :host([data-open][data-ready]) button { display: none; }
}
@media print {
  :host { display: none !important; }
}
`;
