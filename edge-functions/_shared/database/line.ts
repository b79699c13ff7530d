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

type Answer = Pick<Statement, "resolve" | "reject"> & { rows: Promise<unknown> };

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

  /** Answers a statement in the driver's place. */
  take<T extends Statement>(statement: T): T {
    this.#answers?.set(statement, newAnswer());
    const resolve: Statement["resolve"] = (rows) => this.#answers?.get(statement)?.resolve(rows);
    const reject: Statement["reject"] = (error) => {
      this.firstFailure ??= error;
      // A statement may fail before the driver reports the loss.
      if (isLoss(error)) this.#onLoss?.(error);
      this.#answers?.get(statement)?.reject(error);
    };
    const wait = (...handlers: Parameters<Statement["then"]>) => {
      const answer = this.#answers?.get(statement);
      if (!answer) throw new Error("A statement was awaited after the end of its transaction.");
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
