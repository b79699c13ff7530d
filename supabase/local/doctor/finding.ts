// Owns the result of a doctor's check: one sentence that states the finding and, for an error, the remedy.

export interface Finding {
  /** `error`: something does not work; `notice`: it works, but deserves attention; `ok`: nothing to do. */
  level: "ok" | "notice" | "error";
  says: string;
}

export const ok = (says: string): Finding => ({ level: "ok", says });
export const notice = (says: string): Finding => ({ level: "notice", says });
export const error = (says: string): Finding => ({ level: "error", says });

/** An error's message without anything that may contain a password: addresses are removed. */
export function reasonOf(problem: unknown): string {
  const { message, code } =
    problem instanceof Error
      ? { code: undefined, ...problem, message: problem.message }
      : { message: String(problem), code: undefined };
  const words = message || (typeof code === "string" ? code : "no reason given");
  return words.replaceAll(/\b\w+:\/\/\S+/g, "…");
}
