// Notices that a newer build runs on the server. The next navigation then loads the page whole.
import { inTab } from "../../browser/storage.ts";
import { type RouteRules, redirectOf } from "../route-rules.ts";
import { start } from "./start.ts";

const FIRST_LOOK_MS = 1_000;
const LOOK_EVERY_MS = 5 * 60_000;
const RELOAD_GUARD_MS = 10_000;
let newer = false;
let rules: RouteRules = {};

/** Whether a newer build was seen. */
export const hasNewerBuild = (): boolean => newer;

function slowConnection(): boolean {
  const { connection } = navigator as { connection?: { effectiveType?: string; saveData?: boolean } };
  return Boolean(connection?.saveData) || /2g/.test(connection?.effectiveType ?? "");
}

/** Asks the server now. */
export async function isNewerBuild(): Promise<boolean> {
  const answer = await fetch(`/builds/latest.json?${Date.now()}`).catch(() => null);
  const latest = answer?.ok ? ((await answer.json()) as { id?: string }) : null;
  newer ||= Boolean(latest?.id && latest.id !== start.buildId);
  return newer;
}

function look(): void {
  if (document.visibilityState !== "hidden") void isNewerBuild();
}

/** Where the build's route rules send an address; itself where they do not, or are not known yet (the server knows them). */
export const ruledAddress = (url: URL): URL => redirectOf(rules, url)?.to ?? url;

async function fetchRules(): Promise<void> {
  const answer = await fetch(`/builds/meta/${start.buildId}.json`).catch(() => null);
  if (answer?.ok) rules = ((await answer.json()) as { routeRules: RouteRules }).routeRules;
}

/** Looks for a newer build and at this one's rules one second after load, then every five minutes; not over a very slow connection. */
export function watchBuilds(): void {
  if (slowConnection()) return;
  setTimeout(() => {
    look();
    void fetchRules();
  }, FIRST_LOOK_MS);
  setInterval(look, LOOK_EVERY_MS);
}

/**
 * Loads `url` whole because of another build, at most once per 10 s and path.
 * Returns false when that was done just now, so that two builds behind one balancer cannot loop.
 */
export function reloadForBuild(url: URL): boolean {
  const key = `reload:${url.pathname}`;
  if (Date.now() - Number(inTab.get(key) ?? 0) < RELOAD_GUARD_MS) return false;
  inTab.set(key, String(Date.now()));
  location.assign(url);
  return true;
}
