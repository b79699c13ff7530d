// Reads what Office draws from parts of their own: charts as tables of their stored values (ECMA-376, part 1, 21.2), diagrams as lists of
// their words (21.4). Both are part of presentations and Word documents.
import type { Archive } from "./archive.ts";
import type { Relation } from "./office.ts";
import { formatNumber, formatOf } from "./xlsx-numbers.ts";
import { readXml } from "./xml.ts";

export type Graphic =
  | { kind: "chart"; title: string; rows: string[][] }
  | { kind: "diagram"; items: { text: string; level: number }[] };

/** The chart or diagram of a relation. Undefined for any other, and for one without words or values. */
export async function readGraphic(
  archive: Archive,
  relation: Relation | undefined,
): Promise<Graphic | undefined> {
  if (relation?.type === "chart") {
    const chart = await readChart(archive, relation.part);
    return chart.rows.length > 1 || chart.title ? { kind: "chart", ...chart } : undefined;
  }
  if (relation?.type !== "diagramData") return undefined;
  const items = await readDiagram(archive, relation.part);
  return items.length > 0 ? { kind: "diagram", items } : undefined;
}

interface Series {
  name: string;
  /** By the point's index. */
  labels: Map<number, string>;
  values: Map<number, string>;
}

/** Points of all series together, more than people can see. */
const mostPoints = 20_000;

async function readChart(archive: Archive, part: string): Promise<{ title: string; rows: string[][] }> {
  const series: Series[] = [];
  const path: string[] = [];
  let title = "";
  let axis = "";
  let index = 0;
  let points = 0;
  let format = "";
  let value = "";
  const isIn = (tag: string) => path.includes(tag);
  await readXml(archive, part, {
    open(tag, { idx }) {
      path.push(tag);
      if (tag === "ser") series.push({ name: "", labels: new Map(), values: new Map() });
      if (tag === "pt") {
        index = Number(idx) || 0;
        value = "";
        points++;
      }
      if (tag === "numCache") format = "";
    },
    text(text) {
      const tag = path.at(-1);
      if (tag === "formatCode") format += text;
      else if (tag === "v") value += text;
      if ((tag !== "t" && tag !== "v") || !isIn("title")) return;
      if (isIn("catAx")) axis += text;
      else if (!isIn("plotArea")) title += text;
    },
    close(tag) {
      path.pop();
      const last = series.at(-1);
      if (tag !== "pt" || !last || value === "" || points > mostPoints) return;
      const shown = isIn("numCache") ? formatNumber(value, formatOf(format), false) : value;
      if (isIn("tx")) last.name = shown;
      const map =
        isIn("cat") || isIn("xVal") ? last.labels : isIn("val") || isIn("yVal") ? last.values : undefined;
      // The outer of several labels, such as the year above a quarter, comes later.
      const inner = map?.get(index);
      map?.set(index, inner === undefined ? shown : `${shown} ${inner}`);
    },
  });
  const indexes = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
  const labelOf = (at: number) =>
    series.find(({ labels }) => labels.has(at))?.labels.get(at) ?? String(at + 1);
  return {
    title,
    rows: [
      [axis, ...series.map(({ name }) => name)],
      ...indexes.map((at) => [labelOf(at), ...series.map(({ values }) => values.get(at) ?? "")]),
    ],
  };
}

/** The points with words, in the order and below the points that their connections give. */
async function readDiagram(archive: Archive, part: string): Promise<{ text: string; level: number }[]> {
  const texts = new Map<string, string>();
  const below = new Map<string, { id: string; order: number }[]>();
  let point = "";
  let inText = false;
  await readXml(archive, part, {
    open(tag, { modelId = "", type = "node", srcId = "", destId = "", srcOrd }) {
      if (tag === "pt") {
        point = type === "node" || type === "doc" || type === "asst" ? modelId : "";
        if (point) texts.set(point, "");
      }
      if (tag === "p" && point && texts.get(point)) texts.set(point, `${texts.get(point)} `);
      // Connections of other types say how a diagram is drawn.
      if (tag === "cxn" && type === "node")
        below.set(srcId, [...(below.get(srcId) ?? []), { id: destId, order: Number(srcOrd) || 0 }]);
      inText = tag === "t";
    },
    text(text) {
      if (inText && point) texts.set(point, `${texts.get(point) ?? ""}${text}`);
    },
    close(tag) {
      inText = false;
      if (tag === "pt") point = "";
    },
  });
  return inOrder(texts, below);
}

function inOrder(texts: Map<string, string>, below: Map<string, { id: string; order: number }[]>) {
  const items: { text: string; level: number }[] = [];
  const seen = new Set<string>();
  const linked = new Set([...below.values()].flatMap((all) => all.map(({ id }) => id)));
  const waiting = [...texts.keys()].filter((id) => !linked.has(id)).map((id) => ({ id, level: 0 }));
  waiting.reverse();
  // Points that only refer to each other come last.
  waiting.unshift(...[...texts.keys()].map((id) => ({ id, level: 0 })).reverse());
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, level } = next;
    if (seen.has(id)) continue;
    seen.add(id);
    const text = texts.get(id)?.trim() ?? "";
    if (text) items.push({ text, level });
    const children = (below.get(id) ?? []).toSorted((a, b) => b.order - a.order);
    for (const child of children)
      waiting.push({ id: child.id, level: text ? Math.min(level + 1, 8) : level });
  }
  return items;
}
