// Reads PowerPoint presentations (ECMA-376, part 1, PresentationML): every visible slide as a page under its title, with its notes.
// Charts and diagrams are drawn from separate parts and are left out.

import { sentenceOf } from "../../_shared/text/sentences.ts";
import { Archive, holdsPart } from "./archive.ts";
import { listPages, type ParsedDocument, type Parser, type ParserInput } from "./document.ts";
import { relationsOf, statedTitle } from "./office.ts";
import { readNotes, readSlide, type SlideBlock } from "./pptx-slide.ts";
import { writeGrid } from "./table-grid.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";
import { readPrefixed, readXml } from "./xml.ts";

const mainPart = "ppt/presentation.xml";

export const pptx: Parser = {
  name: "pptx",
  label: "a PowerPoint presentation (PPTX)",
  extensions: ["pptx", "pptm", "ppsx", "potx"],
  contentTypes: ["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  matches: (bytes) => holdsPart(bytes, mainPart),
  parse: parsePptx,
};

async function parsePptx(input: ParserInput): Promise<ParsedDocument> {
  const archive = new Archive(input, pptx.label);
  const out = new TextBuilder(input.name);
  const hidden: number[] = [];
  let firstTitle = "";
  let page = 0;
  for (const part of await slideParts(archive)) {
    page++;
    const { title, isHidden, blocks } = await readSlide(archive, part);
    if (isHidden) {
      hidden.push(page);
      continue;
    }
    const notes = [...(await relationsOf(archive, part)).values()].find(({ type }) => type === "notesSlide");
    const said = notes ? await readNotes(archive, notes.part) : "";
    firstTitle ||= oneLine(title);
    writeSlide(out, { page, title: oneLine(title), blocks, notes: said });
  }
  if (hidden.length > 0) out.warn(sentenceOf("slidesHidden", { slides: listPages(hidden) }));
  return out.finish((await statedTitle(archive)) || firstTitle);
}

interface Slide {
  page: number;
  title: string;
  blocks: SlideBlock[];
  notes: string;
}

function writeSlide(out: TextBuilder, { page, title, blocks, notes }: Slide): void {
  if (title === "" && blocks.length === 0 && notes === "") return;
  const close = out.open("page", { page });
  // A slide without a title gets one, so that its words do not fall under the previous slide's title.
  const label = title || `Slide ${page}`;
  out.block(label, { kind: "heading", level: 2, label });
  for (const block of blocks) {
    if (block.kind === "table") writeGrid(out, block);
    else if (block.kind === "list") {
      const closeList = out.open("list");
      block.items.forEach(({ text, level }, i) => {
        out.block(`${"  ".repeat(level)}- ${text}`, { kind: "item", separator: i === 0 ? "\n\n" : "\n" });
      });
      closeList();
    } else out.block(block.text);
  }
  if (notes !== "") out.block(`Notes: ${notes}`);
  close();
}

/** The slides' parts in display order. */
async function slideParts(archive: Archive): Promise<string[]> {
  const relations = await relationsOf(archive, mainPart);
  const parts: string[] = [];
  await readXml(archive, mainPart, {
    open(tag, attributes) {
      const part = tag === "sldId" ? relations.get(readPrefixed(attributes, "id") ?? "")?.part : undefined;
      if (part) parts.push(part);
    },
  });
  return parts;
}
