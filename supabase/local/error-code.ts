// Owns the code by which an error of Node, of Postgres or of a client tells what went wrong.

/** Such as "ENOENT" or "42P01"; undefined for an error without one, and for what is no error. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;
