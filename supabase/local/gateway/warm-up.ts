// Owns the warm-up requests: lite reads the schema on its first call to each part, which would delay a user.
import type { Hono } from "hono";
import type { GatewaySettings } from "./settings.ts";

/** Never fails the start: without a warm-up, only the first request to a part is slow. */
export async function warmUp(gateway: Hono, settings: GatewaySettings): Promise<void> {
  const headers = { authorization: `Bearer ${settings.serviceKey}`, apikey: settings.serviceKey };
  for (const path of ["/auth/v1/health", "/storage/v1/bucket", "/rest/v1/teams?select=id&limit=0"]) {
    await gateway.request(`http://127.0.0.1${path}`, { headers });
  }
}
