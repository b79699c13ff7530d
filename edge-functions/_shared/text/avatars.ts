// Owns which images may be an agent's avatar: detected from their bytes, never from a declared type. Pure. Postgres applies the same rule
// (private.is_avatar).

export const MOST_AVATAR_BYTES = 128 * 1024;

const kinds: [string, (head: string) => boolean][] = [
  ["image/png", (head) => head.startsWith("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (head) => head.startsWith("\xff\xd8\xff")],
  ["image/webp", (head) => head.startsWith("RIFF") && head.slice(8) === "WEBP"],
];

/** The content type of a base64 image; undefined if it is not a PNG, JPEG or WebP. */
export function avatarType(base64: string): string | undefined {
  if (base64.length < 24 || !/^[A-Za-z0-9+/]{16}/.test(base64)) return undefined;
  const head = atob(base64.slice(0, 16));
  return kinds.find(([, mark]) => mark(head))?.[0];
}

export const isAvatar = (base64: string): boolean => avatarType(base64) !== undefined;
