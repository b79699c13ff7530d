// Owns the settings that every edge function needs to start, for unit tests; none of the addresses exists.
import { vi } from "vitest";

/** Must run before anything reads a setting: settings are read once. */
export function stubSettings(more: Record<string, string> = {}): void {
  const settings = {
    DATABASE_URL: "postgres://none",
    SUPABASE_URL: "http://127.0.0.1:1",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:2",
    SECRETS_KEY: "x".repeat(32),
    ...more,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
}
