// The only inline scripts, both of the widget's frame. They tell the widget (web/sdk/widget.ts) that the page may frame
// it, before it has loaded, and that the reader closes a frame without a chat.
import { createHash } from "node:crypto";

export const SAY_READY = 'parent.postMessage("parley:ready", "*")';

export const CLOSE_WIDGET =
  'for(const name of["click","keydown"])addEventListener(name,({target,key})=>{if(key?key==="Escape":target.closest("[data-close]"))parent.postMessage("parley:close","*")})';

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/** The scripts' sources in the Content-Security-Policy. Hashes, since the frame's HTML is cached and a nonce cannot be. */
export const FRAME_SCRIPT_SOURCES = [SAY_READY, CLOSE_WIDGET].map(hashOf);
