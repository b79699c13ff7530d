// The only inline script: the widget's frame tells the widget (web/sdk/widget.ts), before it has loaded, that the page
// may frame it.
import { createHash } from "node:crypto";

export const SAY_READY = 'parent.postMessage("parley:ready", "*")';

/** The script's source in the Content-Security-Policy. A hash, since the frame's HTML is cached and a nonce cannot be. */
export const SAY_READY_SOURCE = `'sha256-${createHash("sha256").update(SAY_READY).digest("base64")}'`;
