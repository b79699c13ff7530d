// Why the questions of a gap have no good answer, as pages say it.
import type { Gap } from "./index/+data.ts";

/** "missing" says that no other document fits. Where replies cite documents, it is not the whole reason. */
export function reasonOf({ reason, examples }: Pick<Gap, "reason" | "examples">) {
  const causes = examples.map(({ cause }) => cause);
  if (reason !== "missing" || causes.length === 0 || causes.includes("unanswered")) return reason;
  return causes.includes("disagree") ? "disagree" : "noOther";
}
