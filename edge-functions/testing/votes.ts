// Owns parsing a judge's lines, such as "2: yes". Pure.

/** The judge's vote on one statement; null if it is neither yes nor no. */
export function readVote(said: string, at: number): boolean | null {
  const word = new RegExp(`^\\W*${at}\\W+(yes|no)\\b`, "im").exec(said)?.[1]?.toLowerCase();
  return word ? word === "yes" : null;
}
