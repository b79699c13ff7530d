/** Starts the stack as a user would; `env` is where tests find it. */
export function startStack(
  timeoutMs: number,
  more?: Record<string, string>,
  held?: string[],
): Promise<{ env: Record<string, string>; stop(): Promise<string | undefined> }>;
