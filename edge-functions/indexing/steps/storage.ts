// Owns how a task sees that its team may not store more: Postgres refuses the transaction that would.
import { fromPostgres, inMebibytes, type StorageUse, storageIn } from "../../_shared/requests/errors.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";

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
