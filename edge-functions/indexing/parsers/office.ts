// What Office files have in common (ECMA-376, part 2): relations between parts, and the title among the properties.
import type { Archive } from "./archive.ts";
import { oneLine } from "./text-builder.ts";
import { readXml } from "./xml.ts";

export interface Relation {
  /** The last word of its type: "slide", "notesSlide", "worksheet". */
  type: string;
  /** The part that it leads to. */
  part: string;
}

/** A part's relations by their ids; those that lead out of the file are left out. */
export async function relationsOf(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const slash = part.lastIndexOf("/") + 1;
  const relations = new Map<string, Relation>();
  await readXml(archive, `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`, {
    open(tag, { Id, Type, Target, TargetMode }) {
      if (tag !== "Relationship" || !Id || !Target || TargetMode === "External") return;
      relations.set(Id, { type: Type?.split("/").at(-1) ?? "", part: resolved(part, Target) });
    },
  });
  return relations;
}

/** The title that the file's properties state, or "". */
export async function statedTitle(archive: Archive): Promise<string> {
  let title = "";
  let inTitle = false;
  await readXml(archive, "docProps/core.xml", {
    open(tag) {
      inTitle = tag === "title";
    },
    text(text) {
      if (inTitle) title += text;
    },
    close() {
      inTitle = false;
    },
  });
  const clean = oneLine(title);
  // What the programs write when nobody chose one.
  return /^(?:powerpoint presentation|presentation|untitled|slide 1)$/i.test(clean) ? "" : clean;
}

/** A path as one part of an archive names another: from its own folder, or from the top. */
export function resolved(from: string, target: string): string {
  const path = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of target.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}
