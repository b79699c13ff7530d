// Undoes a deletion from its toast: calls the API, shows the restored page, and says so when it is too late.

import type { Restoring } from "../../render/rendered.ts";
import { showToast, visit } from "../page.ts";
import { start } from "./start.ts";

/** True when it was restored already, for example by another user. */
async function isThere(answer: Response | null): Promise<boolean> {
  if (answer?.status !== 409) return false;
  const problem = (await answer.json()) as { details?: { code?: string }[] };
  return problem.details?.some(({ code }) => code === "notDeleted") ?? false;
}

export async function restore(restoring: Restoring): Promise<void> {
  const { call, href, done, late, blocked, leftOut } = restoring;
  const answer = await fetch(call, { method: "POST" }).catch(() => null);
  if (answer?.ok || (await isThere(answer))) {
    showToast({ title: done, ...(answer?.headers.has("undo-left-out") ? { description: leftOut } : {}) });
    visit(href);
  } else if (answer?.status === 404 || answer?.status === 409) {
    showToast({ ...(answer.status === 404 ? late : blocked), variant: "destructive" });
  } else {
    // The reader can retry.
    showToast({ title: start.labels.unavailable, variant: "destructive", restoring });
  }
}
