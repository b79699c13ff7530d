// Owns waking the indexing function after a task was queued, instead of waiting for its next scheduled run.
import { env } from "../../_shared/env.ts";
import { log } from "../../_shared/operation/log.ts";
import { platformHeaders } from "../../_shared/requests/platform-keys.ts";
import { requestIdHeader } from "../../_shared/requests/request-context.ts";
import { inBackground } from "../background.ts";

const patienceMs = 5_000;

/** Asks the indexing function to check its queue. Never throws: the schedule runs the function anyway. */
export function kickIndexing(): void {
  inBackground(
    fetch(`${env().SUPABASE_INTERNAL_URL}/functions/v1/indexing`, {
      method: "POST",
      headers: { ...platformHeaders(), ...requestIdHeader(), "Content-Type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(patienceMs),
    })
      .then((response) => response.body?.cancel())
      .catch((error: unknown) => {
        // The function may work for longer than the request's timeout.
        if (error instanceof DOMException && error.name === "TimeoutError") return;
        log("warn", "the indexing function could not be called", { error: String(error) });
      }),
  );
}
