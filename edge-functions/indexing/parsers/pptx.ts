// Reads PowerPoint presentations (ECMA-376, part 1, PresentationML): every visible slide as a page under its title, with its notes,
// charts and diagrams.

import { sentenceOf } from "../../_shared/text/sentences.ts";
import { Archive, holdsParts } from "./archive.ts";
import { listPages, type ParsedDocument, type Parser, type ParserInput } from "./document.ts";
import { sayLeftOut } from "./left-out.ts";
import { countEmbedded, type Relation, relationsOf, statedTitle } from "./office.ts";
import { readNotes, readSlide } from "./pptx-slide.ts";
import { withGraphics, writeBlocks } from "./slide-blocks.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";
import { readPrefixed, readXml } from "./xml.ts";

const mainPart = "ppt/presentation.xml";

export const pptx: Parser = {
  name: "pptx",
  label: "a PowerPoint presentation (PPTX)",
  extensions: ["pptx", "pptm", "ppsx", "potx"],
  contentTypes: ["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  matches: (bytes) => holdsParts(bytes, mainPart),
  parse: parsePptx,
};

async function parsePptx(input: ParserInput): Promise<ParsedDocument> {
  const archive = new Archive(input, pptx.label);
  const out = new TextBuilder(input.name);
  const hidden: number[] = [];
  let firstTitle = "";
  let page = 0;
  const leftOut = { comments: 0, embedded: 0 };
  for (const part of await slideParts(archive)) {
    page++;
    const { title, isHidden, blocks } = await readSlide(archive, part);
    if (isHidden) {
      hidden.push(page);
      continue;
    }
    const relations = await relationsOf(archive, part);
    const notes = [...relations.values()].find(({ type }) => type === "notesSlide");
    leftOut.comments += await countComments(archive, relations);
    leftOut.embedded += countEmbedded(relations);
    const said = notes ? await readNotes(archive, notes.part) : "";
    firstTitle ||= oneLine(title);
    const drawn = await withGraphics(archive, relations, blocks);
    const slide = { page, title: oneLine(title), isBlank: drawn.length === 0, notes: said };
    writeSlide(out, slide, () => writeBlocks(out, drawn));
  }
  if (hidden.length > 0) out.warn(sentenceOf("slidesHidden", { slides: listPages(hidden) }));
  for (const warning of sayLeftOut(leftOut)) out.warn(warning);
  return out.finish((await statedTitle(archive)) || firstTitle);
}

async function countComments(archive: Archive, relations: Map<string, Relation>): Promise<number> {
  let count = 0;
  for (const { type, part } of relations.values()) {
    if (type !== "comments") continue;
    await readXml(archive, part, {
      open(tag) {
        if (tag === "cm") count++;
      },
    });
  }
  return count;
}

interface Slide {
  page: number;
  title: string;
  /** True without anything beside the title and the notes. */
  isBlank: boolean;
  notes: string;
}

export function writeSlide(
  out: TextBuilder,
  { page, title, isBlank, notes }: Slide,
  writeRest: () => void,
): void {
  if (title === "" && isBlank && notes === "") return;
  const close = out.open("page", { page });
  // A slide without a title gets one, so that its words do not fall under the previous slide's title.
  const label = title || `Slide ${page}`;
  out.block(label, { kind: "heading", level: 2, label });
  writeRest();
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
