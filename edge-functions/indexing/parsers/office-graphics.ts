// Reads what Office draws from parts of their own: charts as tables of their stored values (ECMA-376, part 1, 21.2; MS-ODRAWXML, 2.24.3),
// diagrams as lists of their words (21.4). Both are part of presentations and Word documents.
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
  if (relation?.type === "chart" || relation?.type === "chartEx") {
    const chart = await (relation.type === "chart" ? readChart : readNewChart)(archive, relation.part);
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

/** Points of all series together, and series, more than people can see. */
const mostPoints = 20_000;
const mostSeries = 255;

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
      if (isIn("cat") || isIn("xVal")) addLabel(last.labels, index, shown);
      else if (isIn("val") || isIn("yVal")) addLabel(last.values, index, shown);
    },
  });
  return { title, rows: rowsOf(series, axis) };
}

/** A waterfall, a funnel, a treemap or another chart of the newer kind, which keeps values apart from the series that show them. */
async function readNewChart(archive: Archive, part: string): Promise<{ title: string; rows: string[][] }> {
  const data = new Map<string, Series>();
  const path: string[] = [];
  let title = "";
  let name = "";
  let id = "";
  let index = 0;
  let points = 0;
  let format = "";
  let value = "";
  const isIn = (tag: string) => path.includes(tag);
  await readXml(archive, part, {
    open(tag, attributes) {
      path.push(tag);
      if (tag === "data") {
        id = attributes.id ?? "";
        data.set(id, { name: "", labels: new Map(), values: new Map() });
      }
      if (tag === "lvl") format = attributes.formatCode ?? "";
      if (tag === "series") name = "";
      const shown = tag === "dataId" ? data.get(attributes.val ?? "") : undefined;
      if (shown) shown.name ||= name;
      if (tag !== "pt") return;
      index = Number(attributes.idx) || 0;
      value = "";
      points++;
    },
    text(text) {
      const tag = path.at(-1);
      if (tag === "pt") value += text;
      if (tag !== "v" && tag !== "t") return;
      if (isIn("series")) name += isIn("txData") ? text : "";
      else if (isIn("title") && !isIn("plotArea")) title += text;
    },
    close(tag) {
      path.pop();
      const last = data.get(id);
      if (tag !== "pt" || !last || value === "" || points > mostPoints) return;
      if (isIn("numDim")) last.values.set(index, formatNumber(value, formatOf(format), false));
      else if (isIn("strDim")) addLabel(last.labels, index, value);
    },
  });
  return { title, rows: rowsOf([...data.values()], "") };
}

/** The outer of several labels, such as the year above a quarter, comes later. */
function addLabel(labels: Map<number, string>, at: number, text: string): void {
  const inner = labels.get(at);
  labels.set(at, inner === undefined ? text : `${text} ${inner}`);
}

function rowsOf(all: Series[], axis: string): string[][] {
  const series = all.filter(({ values }) => values.size > 0).slice(0, mostSeries);
  const indexes = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
  const labelOf = (at: number) =>
    series.find(({ labels }) => labels.has(at))?.labels.get(at) ?? String(at + 1);
  return [
    [axis, ...series.map(({ name }) => name)],
    ...indexes.map((at) => [labelOf(at), ...series.map(({ values }) => values.get(at) ?? "")]),
  ];
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
      if (tag === "cxn" && type === "node") {
        const links = below.get(srcId) ?? [];
        links.push({ id: destId, order: Number(srcOrd) || 0 });
        below.set(srcId, links);
      }
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
