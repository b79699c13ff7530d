// What the present parsers and chunking make of files of every format: the benchmarks' documents, and a small file of each other format.
// tests/fixtures/readings.json has it by the versions that teams' files were read with.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { chunkText, contextOf } from "../../edge-functions/indexing/chunking.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { readerVersion } from "../../edge-functions/indexing/steps/read.ts";
import { pipelineVersion } from "../../edge-functions/indexing/steps/scope.ts";
import { makeEpub, makePptx, shape, slideTable } from "./files/office.ts";
import { makeOdf, sheet, slide } from "./files/open-document.ts";

export const readingsPath = "tests/fixtures/readings.json";

export interface Readings {
  readerVersion: number;
  pipelineVersion: number;
  /** By a file's name: hashes of its text with its structure, and of its passages. */
  files: Record<string, { text: string; passages: string }>;
}

const documents = "tests/bench/questions";
/** How many of the benchmarks' documents of one format are read. */
const mostOfOneFormat = 10;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOf = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 16);

/** The files of formats that no document of the benchmarks has. */
const made: Record<string, () => Uint8Array> = {
  "made.pptx": () =>
    makePptx([
      { shapes: shape(["Plan for 2027"], "title") + shape(["Two shops", "One warehouse"]) },
      {
        shapes:
          shape(["Costs"], "title") +
          slideTable([
            ["Item", "EUR"],
            ["Rent", "1,200"],
            ["Power", "340"],
          ]),
      },
    ]),
  "made.odt": () =>
    makeOdf(
      "text",
      '<text:h text:outline-level="1">Leave</text:h><text:p>Each year has 25 days.</text:p><text:p>Ask early.</text:p>',
    ),
  "made.ods": () =>
    makeOdf(
      "spreadsheet",
      sheet("Stock", [
        ["Part", "Count"],
        ["Bolt", "40"],
        ["Nut", "55"],
      ]),
    ),
  "made.odp": () =>
    makeOdf(
      "presentation",
      slide("<draw:frame><text:p>Opening hours</text:p><text:p>9 to 5</text:p></draw:frame>"),
    ),
  "made.epub": () =>
    makeEpub([
      {
        file: "1.xhtml",
        html: "<h1>Tides</h1><p>High water is at six.</p><ul><li>Spring</li><li>Neap</li></ul>",
      },
    ]),
  "made.rtf": () =>
    bytesOf(
      String.raw`{\rtf1\ansi\pard\outlinelevel0 Rules\par\pard Dogs stay outside.\par\trowd\cellx2000\cellx4000\intbl Day\cell Hours\cell\row\trowd\cellx2000\cellx4000\intbl Monday\cell 8 to 5\cell\row}`,
    ),
  "made.vtt": () =>
    bytesOf(
      "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ana>We open in May.\n\n00:05.000 --> 00:07.000\n<v Ben>Agreed.\n",
    ),
  "made.ipynb": () =>
    bytesOf(
      JSON.stringify({
        nbformat: 4,
        nbformat_minor: 5,
        metadata: { language_info: { name: "python" } },
        cells: [
          { cell_type: "markdown", metadata: {}, source: ["# Sums\n", "Of two numbers."] },
          {
            cell_type: "code",
            metadata: {},
            execution_count: 1,
            source: ["print(1 + 1)"],
            outputs: [{ output_type: "stream", name: "stdout", text: ["2\n"] }],
          },
        ],
      }),
    ),
  "made.ts": () =>
    bytesOf(
      "/** Adds. */\nexport function add(a: number, b: number) {\n  return a + b;\n}\n\nexport class Sum {\n  of() {\n    return add(1, 2);\n  }\n}\n",
    ),
};

/** The names of the files to read. */
function listFiles(): string[] {
  const counts = new Map<string, number>();
  const found = readdirSync(documents, { recursive: true, encoding: "utf8" })
    .filter((name) => /[\\/]documents[\\/][^\\/]+$/.test(name))
    .map((name) => name.replaceAll("\\", "/"))
    .sort()
    .filter((name) => {
      const format = name.replace(/.*\./, "");
      const count = (counts.get(format) ?? 0) + 1;
      counts.set(format, count);
      return count <= mostOfOneFormat;
    });
  return [...found, ...Object.keys(made)];
}

/** Reads files with the present versions. @param names those of an earlier reading, or of all files to read */
export async function readFiles(names = listFiles()): Promise<Readings> {
  const files: Readings["files"] = {};
  for (const name of names) {
    const bytes = made[name]?.() ?? new Uint8Array(readFileSync(`${documents}/${name}`));
    const parsed = await parseFile({ name: basename(name), bytes });
    const chunks = chunkText(parsed, { maxTokens: 320, overlapTokens: 40 });
    const passages = chunks.map((chunk) => [chunk, contextOf(parsed.title ?? name, chunk)]);
    files[name] = { text: hashOf(parsed), passages: hashOf(passages) };
  }
  return { readerVersion, pipelineVersion, files };
}

/**
 * The versions that have to rise for teams' files to become what is read now.
 * @param before what was recorded
 */
export function versionsToRaise(before: Readings, now: Readings): string[] {
  const differing = (part: "text" | "passages") =>
    Object.entries(before.files).filter(([name, hashes]) => now.files[name]?.[part] !== hashes[part]);
  const texts = differing("text");
  const passages = differing("passages").filter((entry) => !texts.some(([name]) => name === entry[0]));
  const say = (version: string, entries: [string, unknown][]) =>
    `${version}: ${entries.map(([name]) => name).join(", ")}`;
  return [
    ...(texts.length > 0 && now.readerVersion <= before.readerVersion ? [say("readerVersion", texts)] : []),
    ...(passages.length > 0 && now.pipelineVersion <= before.pipelineVersion
      ? [say("pipelineVersion", passages)]
      : []),
  ];
}
