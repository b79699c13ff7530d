// Owns the prefix of a world's names, which makes them unique.
import { randomUUID } from "node:crypto";

export function prefix(): string {
  return randomUUID().replaceAll("-", "").slice(0, 8);
}
