// Owns the nudge that follows a queued task, so that nobody waits for the next tick of the schedule.
import { env } from "../../_shared/env.ts";
import { log } from "../../_shared/operation/log.ts";
import { platformHeaders } from "../../_shared/requests/platform-keys.ts";
import { requestIdHeader } from "../../_shared/requests/request-context.ts";
import { inBackground } from "../background.ts";

const patienceMs = 5_000;

/** Asks the indexing function to look at its queue. Never fails: the schedule comes by in any case. */
export function kickIndexing(): void {
  inBackground(
    fetch(`${env().SUPABASE_URL}/functions/v1/indexing`, {
      method: "POST",
      headers: { ...platformHeaders(), ...requestIdHeader(), "Content-Type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(patienceMs),
    })
      .then((response) => response.body?.cancel())
      .catch((error: unknown) => {
        // The function may be at work for longer than we stay on the line.
        if (error instanceof DOMException && error.name === "TimeoutError") return;
        log("warn", "indexing was not kicked", { error: String(error) });
      }),
  );
}
