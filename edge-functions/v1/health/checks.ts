// Owns how each dependency is asked whether it works. Must not change anything there.
import { asService } from "../../_shared/db.ts";
import { env } from "../../_shared/env.ts";
import { checkMailServer } from "../../_shared/mail.ts";
import { platformHeaders } from "../../_shared/platform-keys.ts";
import type { DependencyState } from "./schema.ts";

const timeoutMs = 5_000;

/** The state of every dependency, asked side by side. */
export async function checkDependencies(): Promise<Record<string, DependencyState>> {
  const { SUPABASE_URL, OPENAI_BASE_URL, OPENAI_API_KEY } = env();
  const checks: Record<string, () => Promise<unknown>> = {
    database: () => asService((tx) => tx`select 1`),
    auth: () => answers(`${SUPABASE_URL}/auth/v1/health`, platformHeaders()),
    storage: () => answers(`${SUPABASE_URL}/storage/v1/bucket`, platformHeaders()),
    models: () =>
      answers(`${OPENAI_BASE_URL ?? "https://api.openai.com/v1"}/models`, {
        Authorization: `Bearer ${OPENAI_API_KEY ?? ""}`,
      }),
    mail: checkMailServer,
  };
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
  );
  return Object.fromEntries(states);
}

async function stateOf(check: () => Promise<unknown>): Promise<DependencyState> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("No answer in time")), timeoutMs);
  });
  try {
    await Promise.race([check(), tooLong]);
    return { status: "ok", durationMs: took() };
  } catch {
    return { status: "failed", durationMs: took() };
  } finally {
    clearTimeout(timer);
  }
}

async function answers(url: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}
