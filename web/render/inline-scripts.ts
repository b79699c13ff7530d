// The only inline scripts, and their sources in the Content-Security-Policy. Hashes, since the HTML of the widget's frame is
// cached and a nonce cannot be.
import { createHash } from "node:crypto";
import { noteClicks } from "./early-clicks.ts";

/** In documents with islands, before any other script has loaded. */
export const NOTE_CLICKS = `(${noteClicks.toString()})()`;

/** After a conversation: it opens at its end, where its island puts it, and not first at its start; a greeting at its start. */
export const SHOW_END =
  'for(const log of document.querySelectorAll("[role=log]:has([data-message])"))log.scrollTop=log.scrollHeight';

/** Tells the widget (web/sdk/widget.ts) that the page may frame it, before it has loaded. */
export const SAY_READY = 'parent.postMessage("parley:ready", "*")';

/** Tells the widget that the reader closes a frame without a chat. */
export const CLOSE_WIDGET =
  'for(const name of["click","keydown"])addEventListener(name,({target,key})=>{if(key?key==="Escape":target.closest("[data-close]"))parent.postMessage("parley:close","*")})';

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

export const PAGE_SCRIPT_SOURCES = [NOTE_CLICKS, SHOW_END].map(hashOf);
export const FRAME_SCRIPT_SOURCES = [NOTE_CLICKS, SHOW_END, SAY_READY, CLOSE_WIDGET].map(hashOf);
