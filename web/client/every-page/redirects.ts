// Owns where the build's route rules redirect an address. Loaded with the first visit's code, since nothing else asks.
import { type RouteRules, redirectOf } from "../../render/route-rules.ts";
import { start } from "./start.ts";

let rules: RouteRules = {};

/**
 * The target of the build's route rules for an address; the address unchanged when no rule matches or the rules are not
 * loaded yet (the server applies them then).
 */
export const redirectedAddress = (url: URL): URL => redirectOf(rules, url)?.to ?? url;

async function fetchRules(): Promise<void> {
  const answer = await fetch(`/builds/meta/${start.buildId}.json`).catch(() => null);
  if (answer?.ok) rules = ((await answer.json()) as { routeRules: RouteRules }).routeRules;
}

void fetchRules();
