// Owns one client's conversation: the login, batches of messages, turns, and the cleanup at the end. The engine
// interprets SQL; wire.ts owns the socket.

import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import { type Engine, EngineLost } from "./engine.ts";
import type { Session } from "./engine-messages.ts";
import { type Limits, statementMs } from "./limits.ts";
import { greeting, logIn, type Passwords } from "./login.ts";
import { Patience } from "./patience.ts";
import {
  copyFail,
  errorResponse,
  exactly,
  type Frame,
  message,
  ProtocolError,
  query,
  readyForQuery,
  SqlError,
  sync,
} from "./protocol.ts";
import { NoTurn, type Turns } from "./turns.ts";
import { TooSlow, Wire } from "./wire.ts";

const batchEnds = new Set(["Q", "S", "H", "F"]);
const copyTypes = new Set(["d", "c", "f"]);
const maxBatchBytes = 128 * 1024 * 1024;
/** Maximum size of a pipeline that runs in one turn. A longer one is split, so that other clients get turns in between. */
const maxJoinedBytes = 256 * 1024;
const copyPieceBytes = 1024 * 1024;
/** Connections reserved for postgres, so that health checks and repairs can always connect. */
const reservedConnections = 3;

/** What all connections of one server share. */
export interface ServerContext {
  engine: Engine;
  turns: Turns;
  passwords: Passwords;
  limits: Limits;
  connections: Map<number, Connection>;
}

export class Connection {
  readonly processId: number;
  session: Session = { user: "authenticator", settings: [], statements: new Map() };
  readonly #secret = randomInt(2 ** 31);
  readonly #context: ServerContext;
  readonly #wire: Wire;
  #isLoggedIn = false;
  /** True after a batch was refused in the middle of a pipeline: messages are skipped until Sync. */
  #skipToSync = false;
  #running = false;
  isInTransaction = false;
  /** True when part of a response was sent, possibly half a message, so that an error message can no longer follow. */
  #midAnswer = false;

  constructor(socket: Socket, processId: number, context: ServerContext) {
    this.#context = context;
    this.processId = processId;
    this.#wire = new Wire(socket, () =>
      context.turns.cancel(this, new NoTurn("57014", "the client is gone")),
    );
  }

  /** Serves the client until it disconnects. Never rejects. */
  async serve(): Promise<void> {
    try {
      await this.#logIn();
      if (this.#isLoggedIn) await this.#converse();
    } catch (error) {
      this.#sendReason(error);
    }
    this.#wire.hangUp();
    await this.#cleanUp();
  }

  /** Ends the connection because the server stops. */
  dismiss(): void {
    this.#sendReason(new ProtocolError("57P01", "terminating connection: the database is stopping"));
    this.#wire.hangUp();
  }

  /** Cancels what runs here, on a CancelRequest from another connection with this one's secret. */
  cancel(secret: number): void {
    if (secret !== this.#secret) return;
    const reason = new NoTurn("57014", "canceling statement due to user request");
    const waited = this.#context.turns.cancel(this, reason);
    if (!waited && this.#running) this.#context.engine.cancel();
  }

  async #logIn(): Promise<void> {
    const { passwords, connections, engine, limits, turns } = this.#context;
    const admit = (user: string) => {
      const room = limits.connections - (user === "postgres" ? 0 : reservedConnections);
      if (connections.size > room) throw new ProtocolError("53300", "sorry, too many clients already");
    };
    const login = await logIn(this.#wire, { passwords, patience: new Patience(limits.loginMs), admit });
    if (login?.kind === "cancel") connections.get(login.processId)?.cancel(login.secret);
    if (login?.kind !== "client") return;
    this.session = { user: login.user, settings: login.settings, statements: new Map() };
    this.#isLoggedIn = true;
    if (login.settings.length > 0) {
      // As in Postgres, a rejected setting ends the login. The session then has the settings as Postgres spells them.
      await turns.take(this);
      await this.#run([{ type: "S", bytes: sync }], () => {});
    }
    this.#wire.write(greeting(login, engine.parameters, this.processId, this.#secret));
  }

  async #converse(): Promise<void> {
    const { limits, turns } = this.#context;
    for (;;) {
      let frames = await this.#nextBatch();
      if (!frames) return;
      if (this.#skipToSync) {
        const isSync = frames.at(-1)?.type === "S";
        if (isSync) this.#wire.write(readyForQuery);
        this.#skipToSync = !isSync;
        continue;
      }
      try {
        if (!turns.holds(this)) await turns.take(this, callerOf(frames) ?? this);
        frames = this.#withArrived(frames);
        await this.#run(frames, (bytes) => this.#wire.write(bytes));
        await this.#wire.keepsUp(limits.idleInTransactionMs);
      } catch (error) {
        if (!this.#canGoOnAfter(error)) throw error;
        this.#refuse(error, frames);
      }
    }
  }

  /** True when the client can receive the error and stay connected: only this batch was lost. */
  #canGoOnAfter(error: unknown): error is NoTurn | EngineLost {
    if (this.#wire.gone || this.#midAnswer) return false;
    // Inside a transaction the client would continue as if the earlier statements had succeeded.
    return error instanceof NoTurn || (error instanceof EngineLost && !this.isInTransaction);
  }

  #refuse(error: NoTurn | EngineLost, frames: Frame[]): void {
    this.#context.turns.give(this);
    // Batches received together with it may belong to its transaction, so they are refused too.
    for (const { type } of this.#withArrived(frames)) {
      this.#skipToSync &&= type !== "S";
      if (!batchEnds.has(type) || this.#skipToSync) continue;
      this.#wire.write(errorResponse("ERROR", ...describeError(error)));
      if (type === "H") this.#skipToSync = true;
      else this.#wire.write(readyForQuery);
    }
  }

  /**
   * The client's messages up to the next one that requires a response; null when it disconnects. While it holds a turn,
   * the idle-in-transaction limit applies.
   */
  async #nextBatch(): Promise<Frame[] | null> {
    const { limits, turns } = this.#context;
    const frames: Frame[] = [];
    let size = 0;
    for (;;) {
      const patience = turns.holds(this) ? new Patience(limits.idleInTransactionMs) : undefined;
      const frame = await this.#wire.next(patience);
      if (!frame || frame.type === "X") return null;
      // Remainder of a failed COPY; Postgres drops these messages too.
      if (copyTypes.has(frame.type)) continue;
      if (frame.type === "p") throw new ProtocolError("08P01", "a password message was not expected");
      frames.push(frame);
      size += frame.bytes.length;
      if (batchEnds.has(frame.type)) return frames;
      if (size > maxBatchBytes) throw new ProtocolError("54000", "too many messages without a Sync");
    }
  }

  /** Adds the batches that have already arrived, so a pipeline goes to the engine in one message, and so does its response. */
  #withArrived(batch: Frame[]): Frame[] {
    const frames = [...batch];
    const next: Frame[] = [];
    let size = batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
    while (size <= maxJoinedBytes) {
      const frame = this.#wire.nextNow();
      if (!frame) break;
      next.push(frame);
      if (frame.type === "X" || frame.type === "p") break;
      size += frame.bytes.length;
      if (batchEnds.has(frame.type)) frames.push(...next.splice(0));
    }
    this.#wire.putBack(...next);
    return frames;
  }

  /** Runs messages in this client's turn; ends the turn when the backend is idle again. */
  async #run(frames: Frame[], take: (bytes: Uint8Array) => void): Promise<void> {
    const { engine, limits, turns } = this.#context;
    const batch = exactly(frames.map(({ bytes }) => bytes));
    this.#running = true;
    const done = await engine.run(this, batch, statementMs(limits, this.session)).finally(() => {
      this.#running = false;
    });
    const { session } = this;
    for (const [name, prepared] of done.statements) {
      if (prepared) session.statements.set(name, prepared);
      else session.statements.delete(name);
    }
    if (done.settings) session.settings = done.settings;
    this.isInTransaction = done.status !== "I";
    // The next client's statements run while the disk syncs.
    if (done.status === "I" && !done.fatal) turns.give(this);
    // What a transaction has read so far is confirmed by its commit, whose answer waits.
    if (done.hasConfirmed) await engine.durable();
    take(done.bytes);
    this.#midAnswer = false;
    if (done.fatal) throw new ProtocolError(...done.fatal);
  }

  /** Sends a part of a response; false when the client has disconnected or does not read it. */
  async data(bytes: Uint8Array): Promise<boolean> {
    await this.#context.engine.durable();
    this.#midAnswer = true;
    this.#wire.write(bytes);
    return await this.#wire.keepsUp(this.#context.limits.idleInTransactionMs);
  }

  /** COPY data that has arrived, or the next to arrive. */
  async copyData(): Promise<Uint8Array> {
    this.#midAnswer = false;
    const patience = new Patience(this.#context.limits.idleInTransactionMs);
    try {
      const data: Buffer[] = [];
      let size = 0;
      let frame = await this.#wire.next(patience);
      while (frame && frame.type !== "X") {
        data.push(frame.bytes);
        size += frame.bytes.length;
        if (frame.type !== "d" || size > copyPieceBytes) break;
        frame = this.#wire.nextNow();
      }
      if (frame?.type === "X") this.#wire.putBack(frame);
      return exactly(data.length > 0 ? data : [copyFail("the client is gone")]);
    } catch (error) {
      this.#sendReason(error);
      this.#wire.hangUp();
      return exactly([copyFail("the client did not send its data")]);
    }
  }

  /** Sends the client the reason why its connection ends, unless a response is half sent. */
  #sendReason(error: unknown): void {
    if (!this.#midAnswer) this.#wire.write(errorResponse("FATAL", ...describeError(error, this.#isLoggedIn)));
  }

  /** Rolls back the client's open transaction, drops its statements, and ends its turn. */
  async #cleanUp(): Promise<void> {
    const { engine, turns, limits } = this.#context;
    if (turns.holds(this)) {
      await engine.run(this, undo, statementMs(limits, this.session)).catch(() => {});
    }
    engine.forget(this.processId);
    turns.give(this);
  }
}

/**
 * A Sync alone would commit the preceding messages: an error first makes it roll back, then rollback ends the
 * transaction block.
 */
const undo = exactly([message("P", "", "no SQL", Buffer.from([0, 0])), sync, query("rollback")]);

/** The person, API key or agent that a transaction of the functions names in its opening (_shared/database/db.ts). */
function callerOf([first]: Frame[]): string | undefined {
  return /request\.jwt\.claims = E'\{"role":"authenticated","(?:sub|api_key_id|agent_id)":"([^"]+)"/.exec(
    first?.bytes.toString("latin1", 0, 500) ?? "",
  )?.[1];
}

function describeError(error: unknown, isLoggedIn = true): [sqlState: string, text: string] {
  if (error instanceof SqlError) return [error.sqlState, error.message];
  if (error instanceof TooSlow && !isLoggedIn) return ["08P01", "the login took too long"];
  if (error instanceof TooSlow) return ["25P03", "terminating connection due to idle-in-transaction timeout"];
  return ["XX000", `the server failed: ${error instanceof Error ? error.message : String(error)}`];
}
