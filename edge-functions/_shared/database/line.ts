// Owns what the driver is told of a transaction, and forgets it at its end. Must not decide when a statement is sent.

/** A statement of the driver: a promise that the driver settles by these methods. */
export type Statement = Promise<unknown> & {
  resolve(rows: unknown): void;
  reject(error: unknown): void;
  execute(): unknown;
};

/** The driver's hook on a connection, as its own begin() uses it. */
type Connection = { onclose: ((error: Error) => void) | null };

/** True for a statement or a fragment of one. The driver has no failure event, and awaiting a fragment would send it. */
export const isStatement = (value: unknown): value is Statement =>
  value instanceof Promise && "reject" in value && typeof value.reject === "function";

export function isLoss(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^(?:CONNECTION_|ECONN|EPIPE)/.test(String(error.code));
}

/**
 * A connection is lost when Postgres owes an answer for so long: a network that drops packets reports nothing for a quarter of an hour. No
 * statement of ours takes half of it, a wait for a lock included.
 */
export const mostSilentMs = 60_000;

const silent = "CONNECTION_SILENT";
export const newSilence = (): Error =>
  Object.assign(new Error("The database does not answer."), { code: silent });
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === silent;

/** isDue: undefined before the statement is sent. */
type Answer = Pick<Statement, "resolve" | "reject"> & { rows: Promise<unknown>; isDue?: boolean };

/**
 * A transaction's line to postgres.js 3.4.9, which assigns two closures to each statement. V8 allocates a closure that is assigned to a
 * property where it is written among the old objects. There it stays until the next full collection, and with it the statement, its options
 * and the rows that it was resolved with: each short collection copied the rows of all reads before it. So a statement is never resolved
 * itself, it leads to no more than this object, and this one to nothing once the transaction is over.
 */
export class Line {
  /** The error of the statement that failed first. Of several in flight, a later one may be awaited first. */
  firstFailure: unknown;
  /** Weak: a long transaction keeps no rows that it has used. */
  #answers: WeakMap<Statement, Answer> | undefined = new WeakMap();
  #connection: Connection | undefined;
  #onLoss: ((error: Error) => void) | null;
  /** How many answers the database owes, and when it owed the first or gave the last. */
  #due = 0;
  #dueSince = 0;

  /** @param onLoss called when the connection is lost */
  constructor(onLoss: (error: Error) => void) {
    this.#onLoss = onLoss;
  }

  /** The driver's option of a statement: is called with the connection that the statement is sent over. */
  readonly onexecute = (connection: Connection): true => {
    this.#connection = connection;
    connection.onclose = this.#onLoss;
    return true;
  };

  /** Milliseconds for which the database has owed an answer without giving any. */
  get silentMs(): number {
    return this.#due === 0 ? 0 : performance.now() - this.#dueSince;
  }

  /** Counts an answer to a statement that take() does not answer. */
  expect(answer: Promise<unknown>): void {
    this.#ask();
    const hear = () => this.#hear();
    answer.then(hear, hear);
  }

  #ask(): void {
    if (this.#due === 0) this.#dueSince = performance.now();
    this.#due += 1;
  }

  #hear(): void {
    this.#due -= 1;
    this.#dueSince = performance.now();
  }

  /** Answers a statement in the driver's place. */
  take<T extends Statement>(statement: T): T {
    this.#answers?.set(statement, newAnswer());
    const hearAnswer = () => {
      const answer = this.#answers?.get(statement);
      if (answer?.isDue) this.#hear();
      if (answer) answer.isDue = false;
      return answer;
    };
    const resolve: Statement["resolve"] = (rows) => hearAnswer()?.resolve(rows);
    const reject: Statement["reject"] = (error) => {
      this.firstFailure ??= error;
      // A statement may fail before the driver reports the loss.
      if (isLoss(error)) this.#onLoss?.(error);
      hearAnswer()?.reject(error);
    };
    const wait = (...handlers: Parameters<Statement["then"]>) => {
      const answer = this.#answers?.get(statement);
      if (!answer) throw new Error("A statement was awaited after the end of its transaction.");
      if (answer.isDue === undefined) {
        answer.isDue = true;
        this.#ask();
      }
      statement.execute();
      return answer.rows.then(...handlers);
    };
    // biome-ignore lint/suspicious/noThenProperty: a statement is a promise, and this is how it is awaited
    return Object.assign(statement, { resolve, reject, then: wait });
  }

  end(): void {
    if (this.#connection) this.#connection.onclose = null;
    this.#connection = undefined;
    this.#onLoss = null;
    this.#answers = undefined;
  }
}

function newAnswer(): Answer {
  const answer: Partial<Answer> = {};
  const rows = new Promise<unknown>((resolve, reject) => Object.assign(answer, { resolve, reject }));
  return Object.assign(answer as Pick<Answer, "resolve" | "reject">, { rows });
}
