// Takes a deletion back at the word of its toast: asks the API, shows what came back, and says plainly where it is too late.
import { showToast, visit } from "../../browser/page.ts";
import type { Restoring } from "../rendered.ts";
import { start } from "./start.ts";

/** Whether it was restored already, as by somebody else. */
async function isThere(answer: Response | null): Promise<boolean> {
  if (answer?.status !== 409) return false;
  const problem = (await answer.json()) as { details?: { code?: string }[] };
  return problem.details?.some(({ code }) => code === "notDeleted") ?? false;
}

/** What the API answers where there is nothing to take back any more, or something is in the way. */
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
    // It may still be tried again.
    showToast({ title: start.labels.unavailable, variant: "destructive", restoring });
  }
}
