// Owns what a check of the doctor comes to: one sentence that says what is so, and of a fault what to do.

export interface Finding {
  /** `error`: something does not work; `notice`: it works, and somebody should know; `ok`: it is as it should be. */
  level: "ok" | "notice" | "error";
  says: string;
}

export const ok = (says: string): Finding => ({ level: "ok", says });
export const notice = (says: string): Finding => ({ level: "notice", says });
export const error = (says: string): Finding => ({ level: "error", says });

/** What an error says, without what could hold a password: addresses are left out. */
export function reasonOf(problem: unknown): string {
  const { message, code } =
    problem instanceof Error
      ? { code: undefined, ...problem, message: problem.message }
      : { message: String(problem), code: undefined };
  const words = message || (typeof code === "string" ? code : "no reason given");
  return words.replaceAll(/\b\w+:\/\/\S+/g, "…");
}
