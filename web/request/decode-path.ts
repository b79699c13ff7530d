// Percent-decoding of addresses from outside.

/** The decoded path; the path unchanged when its encoding is invalid. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
