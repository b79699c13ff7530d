// Owns what Office formats share (ECMA-376, part 2): relations between parts, and the title in the properties.
import type { Archive } from "./archive.ts";
import { oneLine } from "./text-builder.ts";
import { readXml } from "./xml.ts";

export interface Relation {
  /** The last segment of the type: "slide", "notesSlide", "worksheet". */
  type: string;
  /** The target part. */
  part: string;
}

/** The part in which a document begins, if the file names one. */
export async function mainPartOf(archive: Archive): Promise<string | undefined> {
  const relations = await relationsOf(archive, "");
  return [...relations.values()].find(({ type }) => type === "officeDocument")?.part;
}

/** A part's relations by id, without those to targets outside of the file. */
export async function relationsOf(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  await readXml(archive, relationsPart(part), {
    open(tag, { Id, Type, Target, TargetMode }) {
      if (tag !== "Relationship" || !Id || !Target || TargetMode === "External") return;
      relations.set(Id, { type: Type?.split("/").at(-1) ?? "", part: resolveTarget(part, Target) });
    },
  });
  return relations;
}

/** The ids of a part's relations, also of those to targets outside of the file. */
export async function relationIdsOf(archive: Archive, part: string): Promise<Set<string>> {
  const ids = new Set<string>();
  await readXml(archive, relationsPart(part), {
    open(tag, { Id, Target }) {
      if (tag === "Relationship" && Id && Target) ids.add(Id);
    },
  });
  return ids;
}

/** The number of files that a part embeds, by its relations. */
export function countEmbedded(relations: ReadonlyMap<string, Relation>): number {
  const parts = [...relations.values()].filter(({ type }) => type === "oleObject" || type === "package");
  return new Set(parts.map(({ part }) => part)).size;
}

function relationsPart(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** The title in the file's properties, or "". */
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
  // The programs' default titles.
  return /^(?:powerpoint presentation|presentation|untitled|slide 1)$/i.test(clean) ? "" : clean;
}

/** Resolves the path of a part as another part names it: relative to its folder, or from the root. */
export function resolveTarget(from: string, target: string): string {
  const path = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of target.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}
