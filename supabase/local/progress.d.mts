// Types of progress.mjs, which is plain JavaScript because it prints before anything is installed or built.

export interface Place {
  web: string;
  /** Whether the accounts of the demo were created here. */
  hasDemo: boolean;
  /** Undefined when mails leave through another server. */
  mailbox: string | undefined;
  /** Names the model that answers. */
  model: string;
  /** The address in the last line, which tests wait for. */
  ready: string;
}

export class Progress {
  constructor(total?: number);
  /** Announces how many more steps follow. */
  expect(steps: number): void;
  /** Announces the start of a long step. */
  begin(title: string, note: string): void;
  /** Runs one step and prints its line when it is done. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  ready(place: Place): void;
  /** Prints one sentence to stderr. */
  fail(sentence: string): void;
}
