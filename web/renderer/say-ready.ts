// The one inline script that there is: the widget's frame tells the widget (web/sdk/widget.ts), before it has loaded, that it was let in.
import { createHash } from "node:crypto";

export const SAY_READY = 'parent.postMessage("parley:ready", "*")';

/** Its source in a content security policy. A hash, since the frame's HTML is kept and a nonce is not. */
export const SAY_READY_SOURCE = `'sha256-${createHash("sha256").update(SAY_READY).digest("base64")}'`;
