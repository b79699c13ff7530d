// Owns how a task sees that its team may not store more: Postgres refuses the transaction that would. A document that does not fit fails
// alone while smaller ones may.
import { Buffer } from "node:buffer";
import { fromPostgres, inMebibytes, type StorageUse, storageIn } from "../../_shared/requests/errors.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { quoteName } from "../parsers/document.ts";
import type { Prepared } from "./batches.ts";

/** With less room than this for a document with its passages, the task ends. */
export const leastRoom = 4096;

/** What the team stores and may store, if that is why a transaction was refused. */
export function refusingStorage(error: unknown): StorageUse | undefined {
  if (!(error instanceof Error) || fromPostgres(error)?.code !== "STORAGE_REACHED") return undefined;
  return storageIn(error);
}

/** The same as a sentence for the team; undefined for any other failure. */
export function storageSentence(error: unknown): string | undefined {
  const refusing = refusingStorage(error);
  return refusing && sentenceOf("storageReached", inMebibytes(refusing));
}

/** True when the team has room for smaller documents than the one that was refused. */
export function leavesRoom(error: unknown): boolean {
  const refusing = refusingStorage(error);
  return refusing !== undefined && roomIn(refusing) >= leastRoom;
}

/** The failure of a document that does not fit; undefined for any other failure. */
export function unfitSentence(error: unknown, title: string): string | undefined {
  const refusing = refusingStorage(error);
  return refusing && sentenceOf("documentUnfit", { document: quoteName(title), ...inMebibytes(refusing) });
}

/**
 * True when a document cannot fit after this refusal, so that it need not be embedded to find out. What it replaces is not known here, so
 * documents that have passages are never ruled out.
 */
export function cannotFit(prepared: Prepared, refused: unknown, dimensions: number): boolean {
  const refusing = refusingStorage(refused);
  return (
    refusing !== undefined && prepared.document.isNew && bytesOf(prepared, dimensions) > roomIn(refusing)
  );
}

/** What a document counts as with its passages, at least, beside a text that is stored already. */
export function bytesOf({ document, read, cuts }: Prepared, dimensions: number): number {
  const text = Buffer.byteLength(document.content ?? "");
  /** As private.measure_index() counts. A long text is not cut yet. */
  const perPassage = 2 * dimensions + Math.floor(dimensions / 8) + 512;
  const indexes = cuts
    ? cuts.reduce((sum, { passages }) => sum + text + passages.length * perPassage, 0)
    : document.builds.length * text;
  return (read ? text : 0) + indexes;
}

/** What the refused transaction would have added. */
export function readAdded(error: unknown): number | undefined {
  const detail = refusingStorage(error) && error instanceof Error && "detail" in error ? error.detail : "{}";
  const { added }: { added?: number } = JSON.parse(String(detail));
  return added;
}

const roomIn = ({ used, limit }: StorageUse): number => limit - used;
