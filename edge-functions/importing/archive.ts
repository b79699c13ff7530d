// Owns a team's archive as a set of named, validated entries. Trusts nothing in it: names, sizes, hashes and compression ratios are
// checked before an entry is parsed. Does not know the entries' content.
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { parseForeignJson } from "../_shared/outbound/json-depth.ts";
import { maxFileBytes } from "../_shared/storage/storage.ts";
import { sentenceOf } from "../_shared/text/sentences.ts";
import { limits } from "../indexing/parsers/document.ts";
import {
  dataOffset,
  entriesOverlap,
  findDirectory,
  localHeaderBytes,
  readDirectory,
  unpackEntry,
  type ZipEntry,
} from "../indexing/parsers/zip.ts";
import type { ArchiveBytes } from "./parts.ts";
import { ImportRefused } from "./refusal.ts";

/** Version of the export format. Increases when an older Parley could no longer read it. */
export const archiveFormat = 2;
/** That of release 1.0.0, whose manifest has no checksums: the ZIP's own stand for them. */
const firstFormat = 1;
export const manifestName = "manifest.json";

const mostEntries = 50_000;
const directoryBytes = 32 * 1024 * 1024;
const tableBytes = 1024 * 1024 * 1024;
const smallBytes = 16 * 1024 * 1024;
/** Of a manifest: each entry is three, and each missing file one. */
const mostValues = 4 * mostEntries + 100;
/** The end of central directory record with the longest comment that may follow it. */
const tailBytes = 22 + 0xffff;

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** Names in an export: one file per table, and each file in its own folder. */
const knownName = new RegExp(`^(?:team\\.json|tables/[a-z_]{1,60}\\.jsonl|files/${uuid}/[^/\\\\]{1,255})$`);

const sum = z.object({ size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
/** What the archive states of an entry's unpacked bytes. */
type Sum = z.infer<typeof sum> | { size: number; crc32: number };
const formatOf = z.object({ format: z.int() });
const missingFiles = z.array(z.string()).max(mostEntries).default([]);
const manifestSchema = z.discriminatedUnion("format", [
  z.object({ format: z.literal(archiveFormat), entries: z.record(z.string(), sum), missingFiles }),
  z.object({ format: z.literal(firstFormat), missingFiles }),
]);

export class TeamArchive {
  readonly #bytes: ArchiveBytes;
  readonly #entries: Map<string, ZipEntry>;
  readonly #sums = new Map<string, Sum>();
  /** Offset of the central directory. No entry may extend into it. */
  readonly #end: number;
  /** Made when it is first asked for: a lookup for each of 20,000 files would otherwise read 20,000 names. */
  #entriesOfFiles: Map<string, string> | undefined;
  #isOfFirstRelease = false;

  private constructor(bytes: ArchiveBytes, entries: Map<string, ZipEntry>, end: number) {
    this.#bytes = bytes;
    this.#entries = entries;
    this.#end = end;
  }

  /**
   * Reads the central directory and the manifest, and checks that they agree.
   * @throws ImportRefused; any error of reading the bytes
   */
  static async open(bytes: ArchiveBytes): Promise<TeamArchive> {
    const tailStart = Math.max(0, bytes.size - tailBytes);
    const tail = await bytes.whole(tailStart, bytes.size);
    const directory = findDirectory(tail);
    const length = directory ? bytes.size - directory.offset : -1;
    if (!directory || length < 0) throw new ImportRefused(sentenceOf("importNotZip"));
    if (directory.count > mostEntries || length > directoryBytes)
      throw new ImportRefused(sentenceOf("importTooManyFiles"));
    const listed = readDirectory(await bytes.whole(directory.offset, bytes.size), directory.count);
    if (!listed) throw new ImportRefused(sentenceOf("importNoList"));
    // Folders that an archiver adds are empty entries.
    const files = listed.filter(({ name }) => !name.endsWith("/"));
    const entries = new Map(files.map((entry) => [entry.name, entry]));
    if (entries.size < files.length) throw new ImportRefused(sentenceOf("importNameTwice"));
    if (entriesOverlap(files) || files.some(({ encrypted }) => encrypted)) throw damageOf();
    const archive = new TeamArchive(bytes, entries, directory.offset);
    await archive.#readManifest();
    return archive;
  }

  /** True for an export by release 1.0.0 (first-release.ts). */
  get isOfFirstRelease(): boolean {
    return this.#isOfFirstRelease;
  }

  get names(): string[] {
    return [...this.#sums.keys()];
  }

  /** The unpacked bytes of the entries below a folder, as the manifest states them. No entry unpacks to more. */
  bytesBelow(folder: "files/" | "tables/"): number {
    return [...this.#sums].reduce((sum, [name, { size }]) => sum + (name.startsWith(folder) ? size : 0), 0);
  }

  /** The first entry of a file's bytes, by the file's id in the archive. */
  entryOfFile(id: string): string | undefined {
    if (!this.#entriesOfFiles) {
      this.#entriesOfFiles = new Map();
      for (const name of this.#sums.keys()) {
        const [kind, file = ""] = name.split("/");
        if (kind === "files" && !this.#entriesOfFiles.has(file)) this.#entriesOfFiles.set(file, name);
      }
    }
    return this.#entriesOfFiles.get(id);
  }

  has(name: string): boolean {
    return this.#sums.has(name);
  }

  /**
   * Streams an entry's unpacked bytes. The last ones are yielded only if their size and checksum are those stated.
   * @throws ImportRefused; any error of reading the archive
   */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const said = this.#sums.get(name);
    if (!said) throw new ImportRefused(sentenceOf("importMissing", { entry: name }));
    const measured = new MeasuredBytes();
    let held: Uint8Array | undefined;
    for await (const piece of this.#unpack(name, said.size)) {
      measured.add(piece);
      if (held) yield held;
      held = piece;
    }
    if (!measured.matches(said)) throw new ImportRefused(sentenceOf("importChecksum", { entry: name }));
    if (held) yield held;
  }

  /** Parses a small entry as JSON. @throws as read() */
  async json(name: string): Promise<unknown> {
    return parseJson(name, await readText(this.read(name)));
  }

  async #readManifest(): Promise<void> {
    if (!this.#entries.has(manifestName)) throw new ImportRefused(sentenceOf("importNoExport"));
    const value = parseJson(manifestName, await readText(this.#unpack(manifestName, smallBytes)));
    const format = formatOf.safeParse(value).data?.format;
    if (format !== undefined && format > archiveFormat) throw new ImportRefused(sentenceOf("importNewer"));
    const manifest = manifestSchema.safeParse(value);
    if (!manifest.success) throw new ImportRefused(sentenceOf("importNoExport"));
    this.#isOfFirstRelease = manifest.data.format === firstFormat;
    const sums =
      manifest.data.format === firstFormat ? this.#sumsInDirectory() : Object.entries(manifest.data.entries);
    for (const [name, said] of sums) {
      if (!knownName.test(name) || /^files\/[^/]*\/\.{1,2}$/.test(name))
        throw new ImportRefused(sentenceOf("importStrange"));
      if (said.size > (name.startsWith("files/") ? maxFileBytes : tableBytes))
        throw new ImportRefused(sentenceOf("importLarge", { entry: name }));
      this.#sums.set(name, said);
    }
    for (const name of this.#entries.keys()) {
      if (name !== manifestName && !this.#sums.has(name))
        throw new ImportRefused(sentenceOf("importUnnamed"));
    }
    for (const name of this.#sums.keys()) {
      if (!this.#entries.has(name)) throw new ImportRefused(sentenceOf("importMissing", { entry: name }));
    }
    if (!this.#sums.has("team.json")) throw new ImportRefused(sentenceOf("importNoExport"));
  }

  /** What the ZIP's directory states of each entry. */
  #sumsInDirectory(): [string, Sum][] {
    return [...this.#entries]
      .filter(([name]) => name !== manifestName)
      .map(([name, { size, crc32 }]) => [name, { size, crc32 }]);
  }

  /** Unpacks at most `most` bytes, and no implausible multiple of the packed size: declared sizes may be false. */
  async *#unpack(name: string, most: number): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name);
    if (!entry) throw damageOf();
    const { headerOffset, compressedSize } = entry;
    if (headerOffset + localHeaderBytes > this.#end) throw damageOf();
    const header = await this.#bytes.whole(headerOffset, headerOffset + localHeaderBytes);
    const start = dataOffset(header, entry);
    if (start === undefined || start + compressedSize > this.#end) throw damageOf();
    let size = 0;
    const pieces = unpackEntry(this.#bytes.read(start, start + compressedSize), entry);
    const iterator = pieces[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await iterator.next().catch((error: unknown) => {
          // Inflation fails with a TypeError; storage and the database do not.
          throw error instanceof TypeError ? damageOf(error) : error;
        });
        if (next.done) return;
        size += next.value.length;
        if (size > most) throw new ImportRefused(sentenceOf("importLarger", { entry: name }));
        if (size > limits.zipRatioFromBytes && size > compressedSize * limits.zipRatio)
          throw new ImportRefused(sentenceOf("importBomb", { entry: name }));
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}

/** The size and both checksums of bytes as they pass. */
class MeasuredBytes {
  readonly #hash = createHash("sha256");
  #crc32 = 0;
  #size = 0;

  add(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#crc32 = crc32(piece, this.#crc32);
    this.#size += piece.length;
  }

  matches(said: Sum): boolean {
    if (this.#size !== said.size) return false;
    return "sha256" in said ? this.#hash.digest("hex") === said.sha256 : this.#crc32 === said.crc32;
  }
}

const damageOf = (cause?: unknown) => new ImportRefused(sentenceOf("importDamaged"), { cause });

async function readText(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > smallBytes) throw new ImportRefused(sentenceOf("importManifest"));
  }
  return text + decoder.decode();
}

function parseJson(name: string, text: string): unknown {
  try {
    return parseForeignJson(text, mostValues);
  } catch {
    throw new ImportRefused(sentenceOf("importNotJson", { entry: name }));
  }
}
