// Names a build. Every page, payload address and builds/*.json contains the id, so the browser notices a newer build.
import { randomBytes } from "node:crypto";

/** A new build id: a sortable timestamp and four random bytes, URL-safe. Called once per `vite build`. */
export function newBuildId(): string {
  return `${Date.now().toString(36)}${randomBytes(4).toString("hex")}`;
}
