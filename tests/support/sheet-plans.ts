// Tables of tests as the answerer reads them, and the plan that a question gets over them as one line.
import { type Column, readColumn } from "../../edge-functions/_shared/text/cell-values.ts";
import { planSheet, type Sheet } from "../../edge-functions/answering/sheet-plan.ts";
import { readingsOfSheets } from "../../edge-functions/answering/sheet-words.ts";

export const sheet = (title: string, columns: Column[], caption = ""): Sheet => ({
  id: title,
  documentId: title,
  knowledgeId: "knowledge",
  title,
  caption,
  columns,
  rowsCount: 9,
  rank: 0,
});
export const columns = (table: Record<string, string[]>) =>
  Object.entries(table).map(([name, cells]) => readColumn(name, cells).column);

export function planOf(question: string, sheets: Sheet[]) {
  const [plan] = readingsOfSheets(question).flatMap((asked) => planSheet(asked, sheets) ?? []);
  if (!plan) return undefined;
  const nameOf = (at: number) => plan.sheet.columns[at]?.name;
  const where = plan.conditions.map((one) =>
    one.op === "between"
      ? `${nameOf(one.column)} ${one.isLowIn ? "≥" : ">"}${one.low ?? ""} ${one.isHighIn ? "≤" : "<"}${one.high ?? ""}`
      : `${nameOf(one.column)} = ${one.texts.join(" or ")}`,
  );
  const { group, most, asked: column } = plan;
  return [
    plan.sheet.title,
    plan.op,
    plan.column === null ? "rows" : nameOf(plan.column),
    ...where,
    ...(column === undefined ? [] : [`tells ${nameOf(column)}`]),
    ...(group ? [`by ${group.part === "value" ? "" : `${group.part} of `}${nameOf(group.column)}`] : []),
    ...(most ? [`most ${most}`] : []),
  ].join(" | ");
}
