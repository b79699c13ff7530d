// Identifies formats that none of our parsers reads, to name them in error messages.
import { Buffer } from "node:buffer";
import { isZip } from "./zip.ts";

interface Signature {
  label: string;
  at?: number;
  bytes: string;
}

const signatures: Signature[] = [
  { label: "a TIFF image", bytes: "II*\0" },
  { label: "a TIFF image", bytes: "MM\0*" },
  { label: "a video or an audio file", bytes: "ftyp", at: 4 },
  { label: "an audio file", bytes: "ID3" },
  { label: "an audio file", bytes: "OggS" },
  { label: "a RAR archive", bytes: "Rar!" },
  { label: "a 7-Zip archive", bytes: "7z\xbc\xaf" },
  { label: "a gzip archive", bytes: "\x1f\x8b" },
  { label: "a program", bytes: "MZ" },
  { label: "a program", bytes: "\x7fELF" },
  { label: "a SQLite database", bytes: "SQLite format 3" },
];

/** Formats whose bytes look like text but are not readable as text. */
const textual: Signature[] = [{ label: "a PostScript program", bytes: "%!PS" }];

/** The first entry of the archive, stored as it is, behind its header (OpenDocument 1.3, part 2, 3.3). */
const openDocument = "mimetypeapplication/vnd.oasis.opendocument.";

const compoundFile = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/**
 * The name of a foreign format ("a TIFF image"), or undefined. Text is not compared with binary signatures, some of which are
 * ordinary letters.
 */
export function foreignKind(bytes: Uint8Array, isText: boolean): string | undefined {
  if (isZip(bytes))
    return startsWith(bytes, openDocument, 30)
      ? "an OpenDocument file other than ODT, ODS and ODP"
      : "a ZIP archive";
  if (startsWith(bytes, compoundFile))
    return holdsWide(bytes, "__substg1.0_") ? "an Outlook message (MSG)" : "an old Office document";
  return (isText ? textual : signatures).find(({ bytes: mark, at }) => startsWith(bytes, mark, at))?.label;
}

/** Word and Excel wrap a password-protected document in a compound file that contains this stream. */
export function isEncryptedOffice(bytes: Uint8Array): boolean {
  return startsWith(bytes, compoundFile) && holdsWide(bytes, "EncryptedPackage");
}

/** True for the name of a part of a compound file. */
const holdsWide = (bytes: Uint8Array, name: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(name, 0, "utf16le");

function startsWith(bytes: Uint8Array, mark: string, at = 0): boolean {
  for (let i = 0; i < mark.length; i++) {
    if (bytes[at + i] !== mark.charCodeAt(i)) return false;
  }
  return true;
}
