// Undoes a deletion from its toast: calls the API, shows the restored page, and says so when it is too late.

import type { Restoring } from "../../render/rendered.ts";
import { showToast, visit } from "../page.ts";
import { start } from "./start.ts";

interface Problem {
  details?: { code?: string; params?: Record<string, string> }[];
}

/** Why the call was refused; undefined for any other response. */
async function refusalOf(answer: Response | null) {
  if (answer?.status !== 409 && answer?.status !== 402) return undefined;
  return ((await answer.json()) as Problem).details?.[0];
}

const withParams = (text: string, params: Record<string, string> = {}) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? "");

export async function restore(restoring: Restoring): Promise<void> {
  const { call, href, done, late, blocked, full, leftOut } = restoring;
  const answer = await fetch(call, { method: "POST" }).catch(() => null);
  const refusal = await refusalOf(answer);
  const noRoom = full.descriptions[refusal?.code ?? ""];
  // Another user may have restored it already.
  if (answer?.ok || refusal?.code === "notDeleted") {
    showToast({ title: done, ...(answer?.headers.has("undo-left-out") ? { description: leftOut } : {}) });
    visit(href);
  } else if (noRoom) {
    // Undo stays: the reader can make room first.
    const description = withParams(noRoom, refusal?.params);
    showToast({ title: full.title, description, variant: "destructive", isLong: true, restoring });
  } else if (answer?.status === 404 || answer?.status === 409) {
    showToast({ ...(answer.status === 404 ? late : blocked), variant: "destructive" });
  } else {
    // The reader can retry.
    showToast({ title: start.labels.unavailable, variant: "destructive", restoring });
  }
}
