// Owns the intended exits of the embedded Postgres: one exit code and one plain sentence each. The supervisor reads
// them to explain a failed start, so this must not import the server.

export const ExitCode = {
  ok: 0,
  unexpected: 1,
  badSettings: 64,
  portTaken: 65,
  folderInUse: 66,
  folderDamaged: 67,
  folderOfOtherVersion: 68,
  diskFull: 69,
  folderNotWritable: 70,
} as const;

export type ExitReason = Exclude<keyof typeof ExitCode, "ok">;

interface Facts {
  folder?: string;
  port?: number;
  detail?: string;
}

const sentences: Record<ExitReason, (facts: Facts) => string> = {
  unexpected: ({ detail }) =>
    `The database stopped for a reason it does not know: ${detail ?? "no details"}.`,
  badSettings: ({ detail }) => `The database cannot start: ${detail ?? "a setting is wrong"}.`,
  portTaken: ({ port }) =>
    `Port ${port} is taken by another program: stop that program, or set PARLEY_PORT_OFFSET to another number.`,
  folderInUse: ({ folder, detail }) =>
    `The database folder ${folder} is in use by another running copy${detail ? ` (${detail})` : ""}: ` +
    "stop that copy, or set PARLEY_DATA_DIR to another folder.",
  folderDamaged: ({ folder, detail }) =>
    `The database folder ${folder} is damaged${detail ? ` (${detail})` : ""}: ` +
    "put a backup of it back, or move it away to start with an empty database.",
  folderOfOtherVersion: ({ folder, detail }) =>
    `The database folder ${folder} was made by ${detail ?? "another version of Postgres"}: ` +
    "start the version of Parley that made it, or move it away to start with an empty database.",
  diskFull: ({ folder }) =>
    `The disk that holds ${folder} is full: free at least 100 MB on it and start again.`,
  folderNotWritable: ({ folder, detail }) =>
    `The database folder ${folder} cannot be written${detail ? ` (${detail})` : ""}: ` +
    "give this user the right to write it, or set PARLEY_DATA_DIR to another folder.",
};

/** An exit of the database for a reason that a person can act on. `message` is one plain sentence. */
export class PostgresExit extends Error {
  readonly reason: ExitReason;
  readonly code: number;

  constructor(reason: ExitReason, facts: Facts = {}) {
    super(sentences[reason](facts));
    this.name = "PostgresExit";
    this.reason = reason;
    this.code = ExitCode[reason];
  }
}
