// Undoes a deletion from its toast: calls the API, shows the restored page, and says so when it is too late.
import { showToast, visit } from "../../browser/page.ts";
import type { Restoring } from "../rendered.ts";
import { start } from "./start.ts";

/** True when it was restored already, for example by another user. */
async function isThere(answer: Response | null): Promise<boolean> {
  if (answer?.status !== 409) return false;
  const problem = (await answer.json()) as { details?: { code?: string }[] };
  return problem.details?.some(({ code }) => code === "notDeleted") ?? false;
}

/** Statuses of the API when nothing is left to restore, or something is in the way. */
const refusals = [404, 409];

export async function restore(restoring: Restoring): Promise<void> {
  const { call, href, done, refused } = restoring;
  const answer = await fetch(call, { method: "POST" }).catch(() => null);
  if (answer?.ok || (await isThere(answer))) {
    showToast({ title: done });
    visit(href);
  } else if (answer && refusals.includes(answer.status)) {
    showToast({ ...refused, variant: "destructive" });
  } else {
    // The reader can retry.
    showToast({ title: start.labels.unavailable, variant: "destructive", restoring });
  }
}
