// Owns how a judge's lines are read: "2: yes". Pure.

/** What a judge says of one statement; null where it says neither yes nor no. */
export function readVote(said: string, at: number): boolean | null {
  const word = new RegExp(`^\\W*${at}\\W+(yes|no)\\b`, "im").exec(said)?.[1]?.toLowerCase();
  return word ? word === "yes" : null;
}
