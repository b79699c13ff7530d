// Owns the format of a backup file: a gzipped tar of `parley.json`, `secrets.json`, `data/<table>/<number>` (COPY's
// text format), `storage/<two digits>/<hash>` and, last, `manifest.json`, whose checksums prove that everything before
// it is intact.
import { z } from "zod";

export const FORMAT = 1;
export const HEADER_ENTRY = "parley.json";
export const SECRETS_ENTRY = "secrets.json";
export const MANIFEST_ENTRY = "manifest.json";
export const DATA_FOLDER = "data/";
export const STORAGE_FOLDER = "storage/";

const facts = {
  format: z.literal(FORMAT),
  /** The release that wrote it. */
  release: z.string(),
  createdAt: z.string(),
  /** Versions of the migrations that the database had applied. */
  migrations: z.array(z.string().regex(/^\d{14}$/)),
};

/** The first entry, for a person who opens the file. */
export const Header = z.object(facts);
export type Header = z.infer<typeof Header>;

export const Manifest = z.object({
  ...facts,
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      pieces: z.number().int(),
    }),
  ),
  /** Sequences by their quoted name, with their next values. */
  sequences: z.record(z.string(), z.string()),
  /** SHA-256 of every entry before this one, by name. */
  checksums: z.record(z.string(), z.string()),
  /** Objects with a row but no bytes: they were lost before the backup. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpTable = Manifest["tables"][number];

/** A quoted SQL identifier. */
export function quoteName(...names: string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join(".");
}

export function pieceName(table: BackedUpTable, number: number): string {
  return `${DATA_FOLDER}${table.schema}.${table.name}/${String(number).padStart(6, "0")}`;
}
