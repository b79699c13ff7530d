// Owns what a backup file is: a gzipped tar of `parley.json`, `secrets.json`, `data/<table>/<number>` (COPY's text form),
// `storage/<two digits>/<hash>` and, last, `manifest.json`, which proves that everything before it is whole.
import { z } from "zod";

export const FORMAT = 1;
export const HEADER_ENTRY = "parley.json";
export const SECRETS_ENTRY = "secrets.json";
export const MANIFEST_ENTRY = "manifest.json";
export const DATA_FOLDER = "data/";
export const STORAGE_FOLDER = "storage/";

const facts = {
  format: z.literal(FORMAT),
  /** The release that made it. */
  release: z.string(),
  createdAt: z.string(),
  /** Versions of the migrations that the database had run. */
  migrations: z.array(z.string().regex(/^\d{14}$/)),
};

/** The first entry: what a person who looks into the file finds. */
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
  /** Sequences by their quoted name, and the values that they would give next. */
  sequences: z.record(z.string(), z.string()),
  /** SHA-256 of every entry before this one, by its name. */
  checksums: z.record(z.string(), z.string()),
  /** Objects that have a row and no bytes: they were lost before the backup. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpTable = Manifest["tables"][number];

/** A name as SQL takes it. */
export function quoted(...names: string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join(".");
}

export function pieceName(table: BackedUpTable, number: number): string {
  return `${DATA_FOLDER}${table.schema}.${table.name}/${String(number).padStart(6, "0")}`;
}
