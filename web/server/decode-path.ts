// Percent-encoding in addresses that come from outside.

/** The text that a path stands for; the path itself where its encoding is broken. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
