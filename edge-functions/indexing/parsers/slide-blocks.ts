// Writes the blocks of slides, and of what is drawn on sheets.
import type { Archive } from "./archive.ts";
import type { Relation } from "./office.ts";
import { readGraphic } from "./office-graphics.ts";
import type { SlideBlock } from "./pptx-slide.ts";
import { writeGrid } from "./table-grid.ts";
import type { TextBuilder } from "./text-builder.ts";

/** The blocks with charts as tables and diagrams as lists. */
export async function withGraphics(
  archive: Archive,
  relations: Map<string, Relation>,
  blocks: SlideBlock[],
): Promise<SlideBlock[]> {
  const drawn: SlideBlock[] = [];
  for (const block of blocks) {
    const graphic =
      block.kind === "graphic" ? await readGraphic(archive, relations.get(block.id)) : undefined;
    if (block.kind !== "graphic") drawn.push(block);
    if (graphic?.kind === "diagram") drawn.push({ kind: "list", items: graphic.items });
    if (graphic?.kind === "chart") {
      const rows = graphic.rows.map((row, y) => row.map((text) => ({ text, isHeader: y === 0 })));
      drawn.push({ kind: "text", text: graphic.title }, { kind: "table", rows, caption: graphic.title });
    }
  }
  return drawn;
}

export function writeBlocks(out: TextBuilder, blocks: SlideBlock[]): void {
  for (const block of blocks) {
    if (block.kind === "table") writeGrid(out, block);
    else if (block.kind === "list") {
      const closeList = out.open("list");
      block.items.forEach(({ text, level }, i) => {
        out.block(`${"  ".repeat(level)}- ${text}`, { kind: "item", separator: i === 0 ? "\n\n" : "\n" });
      });
      closeList();
    } else if (block.kind === "text") out.block(block.text);
  }
}
