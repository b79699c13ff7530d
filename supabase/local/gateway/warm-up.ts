// Owns the warm-up requests: lite reads the schema on its first call to each part, which would delay a user.
import type { Hono } from "hono";
import type { GatewaySettings } from "./settings.ts";

/** Never fails the start: a part that stays cold only answers its first caller later. */
export async function warmUp(gateway: Hono, settings: GatewaySettings): Promise<void> {
  const headers = { authorization: `Bearer ${settings.serviceKey}`, apikey: settings.serviceKey };
  for (const path of ["/auth/v1/health", "/storage/v1/bucket", "/rest/v1/teams?select=id&limit=0"]) {
    await gateway.request(`http://127.0.0.1${path}`, { headers });
  }
}
