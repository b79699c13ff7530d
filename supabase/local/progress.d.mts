// Types of progress.mjs, which is plain JavaScript because it speaks before anything is installed or built.

export interface Place {
  web: string;
  mailbox: string;
  /** Which model answers, in words. */
  model: string;
  /** The address in the last line, which tests wait for. */
  ready: string;
}

export class Progress {
  constructor(total?: number);
  /** Says how many more steps there will be. */
  expect(steps: number): void;
  /** Says that a step that takes long has begun. */
  begin(title: string, note: string): void;
  /** Runs one step and writes its line when it is done. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  ready(place: Place): void;
  /** Writes one sentence to stderr. */
  fail(sentence: string): void;
}
