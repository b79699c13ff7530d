// Names a build. The id is in every page, payload address and builds/*.json, so a browser can tell that a newer one runs.
import { randomBytes } from "node:crypto";

/** A fresh build id: sortable time and four random bytes, URL-safe. Called once per `vite build`. */
export function newBuildId(): string {
  return `${Date.now().toString(36)}${randomBytes(4).toString("hex")}`;
}
