// Owns how a process remembers without growing: the oldest entry of a full map makes room. Does not know what is remembered.

/** Sets an entry as the newest one of a map of `most` entries at most. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  for (const oldest of map.keys()) {
    if (map.size < most) break;
    map.delete(oldest);
  }
  map.set(key, value);
}
