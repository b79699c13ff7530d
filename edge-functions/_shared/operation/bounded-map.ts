// Owns maps of a bounded size: a full map evicts its oldest entry. Does not know what is stored.

/** Sets an entry as the newest of a map with at most `most` entries. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  for (const oldest of map.keys()) {
    if (map.size < most) break;
    map.delete(oldest);
  }
  map.set(key, value);
}
