// Detects that the server runs a newer build. The next navigation then loads the whole document.

import { inTab } from "../storage.ts";
import { start } from "./start.ts";

const FIRST_LOOK_MS = 1_000;
const LOOK_EVERY_MS = 5 * 60_000;
const RELOAD_GUARD_MS = 10_000;
let newer = false;

/** True once a newer build was detected. */
export const hasNewerBuild = (): boolean => newer;

function isSlowConnection(): boolean {
  const { connection } = navigator as { connection?: { effectiveType?: string; saveData?: boolean } };
  return Boolean(connection?.saveData) || /2g/.test(connection?.effectiveType ?? "");
}

/** Checks for a newer build now. Undefined when the server does not answer. */
export async function isNewerBuild(): Promise<boolean | undefined> {
  const answer = await fetch(`/builds/latest.json?${Date.now()}`).catch(() => null);
  if (!answer?.ok) return undefined;
  const latest = (await answer.json()) as { id?: string };
  newer ||= Boolean(latest.id && latest.id !== start.buildId);
  return newer;
}

function checkBuild(): void {
  if (document.visibilityState !== "hidden") void isNewerBuild();
}

/** Checks for a newer build one second after load and then every five minutes. Skipped on a very slow connection. */
export function watchBuilds(): void {
  if (isSlowConnection()) return;
  setTimeout(checkBuild, FIRST_LOOK_MS);
  setInterval(checkBuild, LOOK_EVERY_MS);
}

/**
 * Loads `url` as a document because of another build, at most once per path in 10 s. Returns false within those 10 s,
 * so two builds behind one load balancer cannot loop.
 */
export function reloadForBuild(url: URL): boolean {
  const key = `reload:${url.pathname}`;
  if (Date.now() - Number(inTab.get(key) ?? 0) < RELOAD_GUARD_MS) return false;
  inTab.set(key, String(Date.now()));
  location.assign(url);
  return true;
}
