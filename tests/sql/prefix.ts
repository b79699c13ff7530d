// What goes before the names of a world, so that they are unique.
import { randomUUID } from "node:crypto";

export function prefix(): string {
  return randomUUID().replaceAll("-", "").slice(0, 8);
}
