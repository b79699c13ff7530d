// The script that embeds an agent's chat in any page: a button, and a frame with the chat once it is opened. Isolated
// from the page by a shadow root and the frame's own origin; needs only script-src and frame-src of its host.
import en from "../../locales/en/widget.json";
import { CLOSE_ICON, ICONS, type WidgetLook } from "./look.ts";
import { STYLES } from "./styles.ts";

/** The texts of widget.json by language, defined by the build (build/widget-script.ts). */
declare const __WIDGET_WORDS__: Record<string, typeof en>;
const words = __WIDGET_WORDS__;
/** Messages from the frame to the page: layouts/FrameLayout.tsx while it is parsed, islands/WidgetChat.tsx. */
const READY = "parley:ready";
const CLOSE = "parley:close";
const SVG = "http://www.w3.org/2000/svg";
const LOOK_MS = 4000;
const TAG = "parley-chat";
/** Height of a button and the space above it, in px. */
const ROW = 72;
/** Where styles.ts lets the open chat cover the page. */
const COVERS = "(max-width: 480px), (max-height: 480px)";

interface Options {
  /** This script's own origin, which serves the frame as well. */
  origin: string;
  agent: string;
  language: string;
  theme: string;
  /** Undefined uses the agent's own. */
  side: string | undefined;
  /** The nonce of a page whose policy requires one. */
  nonce: string;
}

function readOptions(script: HTMLScriptElement): Options | null {
  const { agent, lang, theme = "system", position } = script.dataset;
  if (!agent) {
    console.warn("Parley: the script needs data-agent, the id of a public agent.");
    return null;
  }
  const [wanted = ""] = (lang ?? document.documentElement.lang).toLowerCase().split(/[-_]/);
  return {
    origin: new URL(script.src).origin,
    agent,
    language: Object.hasOwn(words, wanted) ? wanted : "en",
    theme,
    side: position && (position === "left" ? "left" : "right"),
    nonce: script.nonce,
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

/**
 * The button is drawn once its look is known, so it never changes visibly.
 * @param query of the address; one that has not been used is not answered from the cache
 * @returns null without a response
 */
function readLook({ origin, agent, nonce }: Options, query = ""): Promise<Partial<WidgetLook> | null> {
  return new Promise((resolve) => {
    const script = element("script", {
      src: `${origin}/widget/${encodeURIComponent(agent)}/look.js${query}`,
    });
    if (nonce) script.nonce = nonce;
    const finish = () => {
      resolve(JSON.parse(script.dataset.look ?? "null"));
      script.remove();
    };
    script.addEventListener("load", finish);
    script.addEventListener("error", finish);
    setTimeout(finish, LOOK_MS);
    document.head.append(script);
  });
}

const isColor = (text: string | undefined) => /^#[0-9a-f]{6}$/.test(text ?? "");

/** A second line for the same agent changes nothing; another agent's button is above those on its side. */
function mount(options: Options, look: Partial<WidgetLook>): void {
  const { origin, agent, language, theme, side } = options;
  const shown = [...document.querySelectorAll<HTMLElement>(TAG)];
  if (shown.some(({ dataset }) => dataset.agent === agent)) return;
  const t = words[language] ?? en;
  const ownSide = side ?? look.position ?? "right";
  const below = shown.filter(({ dataset }) => dataset.side === ownSide).length;
  const host = element(TAG as "div", {
    "data-agent": agent,
    "data-side": ownSide,
    "data-theme": theme,
    lang: language,
  });
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  const { color, onColor, label = "", icon: iconName = "chat" } = look;
  const own = isColor(color) && isColor(onColor) ? `button{background:${color};color:${onColor}}` : "";
  sheet.replaceSync(`${STYLES}${own}:host{--above:${below * ROW}px}`);
  root.adoptedStyleSheets = [sheet];

  const button = element("button", { type: "button", "aria-expanded": "false", "aria-controls": "panel" });
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  icon.append(path);
  button.append(icon);
  const text = element("span", {});
  text.textContent = label;
  if (label) button.append(text);
  const panel = element("dialog", { id: "panel", "aria-label": t.title });
  const note = element("p", { role: "status" });
  panel.append(note);
  root.append(panel, button);

  let frame: HTMLIFrameElement | null = null;
  let ready = false;
  function setReady(now: boolean): void {
    ready = now;
    host.toggleAttribute("data-ready", now);
    // What the chat covers whole must not get the focus. Until the frame has a close button, the page's own must work.
    if (now && panel.open && matchMedia(COVERS).matches) {
      panel.close();
      panel.showModal();
    }
  }

  function show(open: boolean): void {
    if (!open) panel.close();
    else if (ready && matchMedia(COVERS).matches) panel.showModal();
    else panel.show();
    button.setAttribute("aria-expanded", String(open));
    // The visible label is part of the name, for speech control users.
    button.setAttribute("aria-label", open ? t.close : label ? `${label}: ${t.open}` : t.open);
    path.setAttribute("d", (open ? CLOSE_ICON : ICONS[iconName]) ?? "");
    text.hidden = open;
    host.toggleAttribute("data-open", open);
  }

  function load(): void {
    setReady(false);
    note.textContent = t.loading;
    const query = new URLSearchParams({ lang: language, theme });
    frame = element("iframe", {
      title: t.title,
      src: `${origin}/widget/${encodeURIComponent(agent)}?${query}`,
      allow: "clipboard-write",
      // The frame learns the site around it, whatever the page's own policy.
      referrerpolicy: "origin",
    });
    // An allowed frame posts a message before it has loaded; a refused one never does, nor one without a connection.
    frame.addEventListener("load", async () => {
      if (ready) return;
      const isFocused = root.activeElement === frame;
      frame?.remove();
      frame = null;
      if (isFocused) button.focus();
      const isReached = await readLook(options, `?at=${Date.now()}`).catch(() => ({}));
      if (frame) return;
      note.textContent = isReached ? t.unavailable : t.unreachable;
      if (isReached) console.warn(`Parley: ${origin} does not show agent ${agent} on ${location.origin}.`);
    });
    panel.append(frame);
  }

  /** Makes room: panels would cover each other, and buttons above this one its panel. */
  function clear(): void {
    const others = [...document.querySelectorAll<HTMLElement>(TAG)].filter((other) => other !== host);
    for (const { shadowRoot } of others) shadowRoot?.querySelector("dialog")?.close();
    const over = others.filter(({ dataset }) => dataset.side === ownSide).length - below;
    host.style.setProperty("--over", `${Math.max(0, over) * ROW}px`);
  }

  function open(): void {
    clear();
    if (!frame) load();
    show(true);
    frame?.focus();
  }
  function close(): void {
    show(false);
    button.focus();
  }

  button.addEventListener("click", () => (panel.open ? close() : open()));
  root.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Escape" && panel.open) close();
  });
  // By the browser itself, as with a phone's Back.
  panel.addEventListener("close", () => {
    if (!panel.open) show(false);
  });
  addEventListener("message", ({ source, origin: from, data }) => {
    if (from !== origin || !frame || source !== frame.contentWindow) return;
    if (data === READY) {
      setReady(true);
      note.textContent = "";
      frame.focus();
    } else if (data === CLOSE) close();
  });
  show(false);
  document.body.append(host);
  // Above every z-index, and placed by the window even where the page transforms its body.
  host.popover = "manual";
  host.showPopover?.();
}

const { currentScript } = document;
const options = currentScript instanceof HTMLScriptElement ? readOptions(currentScript) : null;
if (options) {
  // A page that requires trusted types refuses the script of the look.
  void readLook(options)
    .catch(() => null)
    .then((look) => {
      const draw = () => mount(options, look ?? {});
      if (document.body) draw();
      else addEventListener("DOMContentLoaded", draw, { once: true });
    });
}
