// Deletes something for a page's form, and shows a toast with Undo when the deletion can be undone.
import { addressOf, type InputOf, type RestorablePath } from "../client/api-calls.ts";
import type { ActionContext } from "../render/action.ts";
import type { Toast } from "../render/rendered.ts";

/**
 * `title` and `restored` are the titles of the toasts after the deletion and after Undo; `href` is the page of the
 * restored resource.
 */
export async function remove<Path extends RestorablePath>(
  { request, t }: Pick<ActionContext, "request" | "t">,
  { path, input }: { path: Path; input: InputOf<"DELETE", Path> },
  { title, restored, href }: { title: string; restored: string; href: string },
): Promise<Toast> {
  if (!(await request.api.remove(path, input))) return { title };
  const call = addressOf(`${path}/restore`, input);
  const late = { title: t("app:toast.tooLate"), description: t("app:toast.tooLateText") };
  const blocked = { title: t("app:toast.blocked"), description: t("errors:refusals.restoreBlocked") };
  const full = { title: t("app:toast.full"), descriptions: fullLists(t) };
  const leftOut = t("app:toast.leftOut");
  return { title, restoring: { call, href, done: restored, late, blocked, full, leftOut } };
}

function fullLists(t: ActionContext["t"]): Record<string, string> {
  return {
    entriesFull: t("errors:refusals.entriesFull"),
    testsFull: t("errors:refusals.testsFull"),
    appsFull: t("errors:refusals.appsFull"),
    storageReached: t("errors:refusals.storageReached", { used: "{{used}}", limit: "{{limit}}" }),
  };
}
