// The script that puts an agent's chat on any page: a button, and a frame with the chat once somebody opens it. Isolated
// from the page by a shadow root and the frame's own origin; needs script-src and frame-src of its host, no more.
import en from "../../locales/en/widget.json";
import fr from "../../locales/fr/widget.json";
import { STYLES } from "./styles.ts";

const words: Record<string, typeof en> = { en, fr };
/** What the frame says to the page around it: layouts/FrameLayout.tsx as it is read, islands/WidgetChat.tsx. */
const READY = "parley:ready";
const CLOSE = "parley:close";
const SVG = "http://www.w3.org/2000/svg";
const CHAT_ICON = "M21 11.5a8.4 8.4 0 0 1-12 7.6L3 21l1.9-6a8.4 8.4 0 1 1 16.1-3.5Z";
const CLOSE_ICON = "M18 6 6 18M6 6l12 12";

interface Options {
  /** Where this script came from, which serves the frame as well. */
  origin: string;
  agent: string;
  language: string;
  theme: string;
  side: string;
}

function readOptions(script: HTMLScriptElement): Options | null {
  const { agent, lang, theme = "system", position = "right" } = script.dataset;
  if (!agent) {
    console.warn("Parley: the script needs data-agent, the id of a public agent.");
    return null;
  }
  const wanted = (lang ?? document.documentElement.lang).slice(0, 2).toLowerCase();
  return {
    origin: new URL(script.src).origin,
    agent,
    language: wanted in words ? wanted : "en",
    theme,
    side: position === "left" ? "left" : "right",
  };
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function mount({ origin, agent, language, theme, side }: Options): void {
  const t = words[language] ?? en;
  const host = element("parley-chat" as "div", { "data-side": side, "data-theme": theme, lang: language });
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];

  const button = element("button", { type: "button", "aria-expanded": "false", "aria-controls": "panel" });
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  icon.append(path);
  button.append(icon);
  const panel = element("div", { id: "panel", role: "dialog", "aria-label": t.title, hidden: "" });
  const note = element("p", { role: "status" });
  panel.append(note);
  root.append(panel, button);

  let frame: HTMLIFrameElement | null = null;
  let ready = false;

  function show(open: boolean): void {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    button.setAttribute("aria-label", open ? t.close : t.open);
    path.setAttribute("d", open ? CLOSE_ICON : CHAT_ICON);
    host.toggleAttribute("data-open", open);
  }

  function load(): void {
    ready = false;
    note.textContent = t.loading;
    const query = new URLSearchParams({ lang: language, theme });
    frame = element("iframe", {
      title: t.title,
      src: `${origin}/widget/${encodeURIComponent(agent)}?${query}`,
      allow: "clipboard-write",
    });
    // The frame speaks before it has loaded; one that was refused never does.
    frame.addEventListener("load", () => {
      if (ready) return;
      frame?.remove();
      frame = null;
      note.textContent = t.unavailable;
      console.warn(`Parley: ${origin} does not show agent ${agent} on ${location.origin}.`);
    });
    panel.append(frame);
  }

  function open(): void {
    show(true);
    if (!frame) load();
    frame?.focus();
  }
  function close(): void {
    show(false);
    button.focus();
  }

  button.addEventListener("click", () => (panel.hidden ? open() : close()));
  root.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Escape" && !panel.hidden) close();
  });
  addEventListener("message", ({ source, origin: from, data }) => {
    if (from !== origin || !frame || source !== frame.contentWindow) return;
    if (data === READY) {
      ready = true;
      note.textContent = "";
      frame.focus();
    } else if (data === CLOSE) close();
  });
  show(false);
  document.body.append(host);
}

const { currentScript } = document;
const options = currentScript instanceof HTMLScriptElement ? readOptions(currentScript) : null;
if (options) {
  if (document.body) mount(options);
  else addEventListener("DOMContentLoaded", () => mount(options), { once: true });
}
