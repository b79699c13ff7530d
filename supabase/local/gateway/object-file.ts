// Owns where an object's bytes are in the storage folder: under the hash of its key, so that no name that a person chose reaches the disk.
import { createHash } from "node:crypto";
import { join } from "node:path";

export const objectFileName = (bucket: string, key: string): string =>
  createHash("sha256").update(`${bucket}\0${key}`).digest("hex");

export function objectFile(storage: string, bucket: string, key: string): string {
  const name = objectFileName(bucket, key);
  return join(storage, name.slice(0, 2), name);
}
