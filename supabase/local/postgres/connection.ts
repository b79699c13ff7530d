// Owns one client's conversation: the login, batches of messages, turns, and the cleanup at the end. The engine
// interprets SQL; wire.ts owns the socket.

import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import { type Done, EngineLost } from "./engine.ts";
import { maxInFlight } from "./engine-messages.ts";
import { statementMs } from "./limits.ts";
import { greeting, type LoggedIn, Login } from "./login.ts";
import {
  copyFail,
  errorFields,
  errorResponse,
  type Frame,
  message,
  ProtocolError,
  query,
  readyForQuery,
  sync,
} from "./protocol.ts";
import type { Shop } from "./shop.ts";
import { ClientStatements, exactly } from "./statements.ts";
import { NoTurn } from "./turns.ts";
import { TooSlow, Wire } from "./wire.ts";

const batchEnds = new Set(["Q", "S", "H", "F"]);
const copyTypes = new Set(["d", "c", "f"]);
const maxBatchBytes = 128 * 1024 * 1024;
/** A longer pipeline is split, so that other clients get turns in between. */
const maxJoinedBytes = 256 * 1024;
const copyPieceBytes = 1024 * 1024;
/** Connections reserved for postgres, so that health checks and repairs can always connect. */
const reservedConnections = 3;

type Take = (bytes: Uint8Array, run: number) => void;

export class Connection {
  readonly processId: number;
  readonly #secret = randomInt(2 ** 31);
  readonly #shop: Shop;
  readonly #wire: Wire;
  readonly #statements: ClientStatements;
  #login: LoggedIn | null = null;
  /** A batch was refused in the middle of a pipeline: messages are skipped until Sync. */
  #skipToSync = false;
  #running = false;
  #inTransaction = false;
  /** The last batch ended with Flush: its work is neither committed nor rolled back. */
  #inPipeline = false;
  /** Part of a response was sent, maybe half a message, so an error message can no longer follow. */
  #midAnswer = false;

  constructor(socket: Socket, processId: number, shop: Shop) {
    this.#shop = shop;
    this.processId = processId;
    this.#statements = new ClientStatements(shop.loaded);
    this.#wire = new Wire(socket, () => {
      if (this.#running) shop.engine.discard();
      shop.turns.cancel(this, new NoTurn("57014", "the client is gone"));
    });
  }

  /** Serves the client until it disconnects. Never rejects. */
  async serve(): Promise<void> {
    try {
      await this.#logIn();
      if (this.#login) await this.#converse();
    } catch (error) {
      this.#sayWhy(error);
    }
    this.#wire.hangUp();
    await this.#leaveNothing();
  }

  /** Ends the connection because the server stops. */
  dismiss(): void {
    this.#sayWhy(new ProtocolError("57P01", "terminating connection: the database is stopping"));
    this.#wire.hangUp();
  }

  /** Cancels what runs here, on a CancelRequest from another connection with this one's secret. */
  cancel(secret: number): void {
    if (secret !== this.#secret) return;
    const waited = this.#shop.turns.cancel(
      this,
      new NoTurn("57014", "canceling statement due to user request"),
    );
    if (!waited && this.#running) this.#shop.engine.cancel();
  }

  async #logIn(): Promise<void> {
    const { accounts, connections, engine, limits } = this.#shop;
    const login = new Login(accounts);
    const deadline = Date.now() + limits.loginMs;
    for (;;) {
      const frame = await this.#wire.next(() => deadline);
      if (!frame) return;
      const step = login.take(frame);
      if (step.kind === "cancel") return connections.get(step.processId)?.cancel(step.secret);
      if (login.started) {
        this.#wire.startupIsOver();
        if (!engine.opened) throw new ProtocolError("57P03", "the database system is starting up");
        const room = limits.connections - (login.user === "postgres" ? 0 : reservedConnections);
        if (connections.size > room) throw new ProtocolError("53300", "sorry, too many clients already");
      }
      this.#wire.write(step.bytes);
      if (step.kind === "in") {
        this.#login = step.login;
        this.#statements.session = JSON.stringify(step.login);
        return this.#greet(step.login);
      }
    }
  }

  /** Applies the startup settings. As in Postgres, a setting that is rejected ends the login. */
  async #greet(login: LoggedIn): Promise<void> {
    const { engine, turns } = this.#shop;
    if (login.settings.length > 0) {
      await turns.take(this);
      await this.#findEngine();
      await this.#runBatch([{ type: "S", bytes: sync }], () => {});
    }
    this.#wire.write(greeting(login, engine.parameters, this.processId, this.#secret));
  }

  async #converse(): Promise<void> {
    const { turns } = this.#shop;
    for (;;) {
      let frames = await this.#nextBatch();
      if (!frames) return;
      const ends = frames.at(-1)?.type ?? "";
      if (this.#skipToSync) {
        this.#skipToSync = ends !== "S";
        if (ends === "S") this.#wire.write(readyForQuery);
        continue;
      }
      try {
        if (!turns.holds(this)) await turns.take(this);
        await this.#findEngine();
        // Joined only now: while a client waits for its turn, others may evict statements that its batches use.
        frames = this.#join(frames);
        await this.#runBatch(frames, (bytes, run) => this.#answer(bytes, run));
      } catch (error) {
        if (!this.#canGoOnAfter(error)) throw error;
        this.#refuse(error, frames);
      }
      await this.#wire.drained(maxInFlight);
      this.#wire.mustReadWithin(0);
    }
  }

  /** True when the client can receive the error and stay connected: only this batch was lost. */
  #canGoOnAfter(error: unknown): error is NoTurn | EngineLost {
    if (this.#wire.gone || this.#midAnswer) return false;
    // Inside a transaction it would continue as if the earlier statements had succeeded.
    return error instanceof NoTurn || (error instanceof EngineLost && !this.#inTransaction);
  }

  #refuse(error: NoTurn | EngineLost, frames: Frame[]): void {
    this.#shop.turns.give(this);
    this.#inPipeline = false;
    this.#skipToSync = frames.at(-1)?.type === "H";
    // Batches received together with it may belong to its transaction.
    for (const { type } of this.#join(frames).filter(({ type }) => batchEnds.has(type))) {
      this.#wire.write(errorResponse("ERROR", ...inWords(error)));
      if (type !== "H") this.#wire.write(readyForQuery);
    }
  }

  /**
   * The client's messages up to the next one that requires a response; null when it disconnects. While it holds a turn,
   * the idle-in-transaction limit applies.
   */
  async #nextBatch(): Promise<Frame[] | null> {
    const { limits, turns } = this.#shop;
    const frames: Frame[] = [];
    let size = 0;
    let lastHeard = Date.now();
    const deadline = () =>
      turns.holds(this) ? lastHeard + limits.idleInTransactionMs : Number.POSITIVE_INFINITY;
    for (;;) {
      const frame = await this.#wire.next(deadline);
      if (!frame || frame.type === "X") return null;
      lastHeard = Date.now();
      // Left over from a failed COPY; Postgres drops them too.
      if (copyTypes.has(frame.type)) continue;
      if (frame.type === "p") throw new ProtocolError("08P01", "a password message was not expected");
      frames.push(frame);
      size += frame.bytes.length;
      if (batchEnds.has(frame.type)) return frames;
      if (size > maxBatchBytes) throw new ProtocolError("54000", "too many messages without a Sync");
    }
  }

  /** Adds the batches that have already arrived, so a pipeline goes to the engine in one message, and so does its response. */
  #join(batch: Frame[]): Frame[] {
    if (batch.some(standsAlone) || !this.#statements.canJoin([], batch)) return batch;
    const frames = [...batch];
    const next: Frame[] = [];
    let total = batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (let frame = this.#wire.nextNow(); frame; frame = this.#wire.nextNow()) {
      next.push(frame);
      total += frame.bytes.length;
      if (total > maxJoinedBytes || standsAlone(frame)) break;
      if (!batchEnds.has(frame.type)) continue;
      if (!this.#statements.canJoin(frames, next)) break;
      frames.push(...next.splice(0));
    }
    this.#wire.putBack(next);
    return frames;
  }

  /** Waits for a running engine. A new engine has none of the old one's prepared statements. */
  async #findEngine(): Promise<void> {
    const { engine, loaded } = this.#shop;
    await engine.ready();
    if (this.#shop.generation === engine.generation) return;
    this.#shop.generation = engine.generation;
    this.#shop.lastServed = null;
    this.#shop.clean = null;
    loaded.forgetAll();
  }

  /** Runs a batch in this client's turn; ends the turn when the backend is idle again. */
  async #runBatch(frames: Frame[], take: Take): Promise<void> {
    const { engine, loaded, turns } = this.#shop;
    const isFit = this.#shop.lastServed === this || this.#shop.clean === this.#statements.session;
    const session = isFit ? undefined : (this.#login ?? undefined);
    if (session) loaded.unnamedOwner = null;
    this.#shop.lastServed = this;
    this.#shop.clean = null;
    this.#running = true;
    let done: Done | undefined;
    let isClean = false;
    try {
      const { leavesTraces, ...translated } = this.#statements.translate(frames, this.#inPipeline);
      isClean = !leavesTraces;
      const data: Take = (bytes, run) => {
        this.#midAnswer = true;
        take(bytes, run);
      };
      done = await engine.run(
        { session, ...translated },
        {
          data,
          copyIn: () => {
            this.#midAnswer = false;
            void this.#feedCopy();
          },
        },
        statementMs(this.#shop.limits, this.#login),
      );
    } finally {
      this.#running = false;
      this.#statements.settle(done?.parsed ?? [], done?.learnt ?? false);
    }
    take(done.bytes, engine.currentRun);
    this.#midAnswer = false;
    if (done.sessionError) {
      this.#shop.lastServed = null;
      const { C = "XX000", M = "" } = errorFields(done.sessionError);
      throw new ProtocolError(C, M);
    }
    if (done.forgotStatements) {
      loaded.forgetAll();
      this.#statements.forgetAll();
    }
    const routine = done.failed && errorFields(done.failed).R;
    if (routine === "RevalidateCachedQuery") this.#statements.outdate();
    if (routine === "FetchPreparedStatement") this.#statements.missed();
    if (done.settings && this.#login) {
      this.#login.settings = done.settings;
      this.#statements.session = JSON.stringify(this.#login);
    }
    if (isClean) this.#shop.clean = this.#statements.session;
    this.#inTransaction = done.status !== "I";
    this.#inPipeline = done.status === "-";
    if (done.status === "I") turns.give(this);
  }

  #answer(bytes: Uint8Array, run: number): void {
    const { engine, limits } = this.#shop;
    this.#wire.write(bytes, () => engine.taken(bytes.length, run));
    if (this.#wire.unread > maxInFlight) this.#wire.mustReadWithin(limits.idleInTransactionMs);
  }

  /** Passes on COPY data that has arrived, or waits for the next. */
  async #feedCopy(): Promise<void> {
    const { engine, limits } = this.#shop;
    const until = Date.now() + limits.idleInTransactionMs;
    try {
      const data: Buffer[] = [];
      let size = 0;
      let frame = await this.#wire.next(() => until);
      while (frame && frame.type !== "X") {
        if (copyTypes.has(frame.type)) data.push(frame.bytes);
        // Flush and Sync are ignored here. After any other message Postgres ends the connection, and PGlite would crash.
        else if (frame.type !== "H" && frame.type !== "S") {
          throw new ProtocolError("08P01", "unexpected message during COPY from stdin");
        }
        size += frame.bytes.length;
        if (data.length > 0 && (frame.type !== "d" || size > copyPieceBytes)) break;
        frame = data.length > 0 ? this.#wire.nextNow() : await this.#wire.next(() => until);
      }
      engine.copyData(exactly(data.length > 0 ? data : [copyFail("the client is gone")]));
    } catch (error) {
      this.#sayWhy(error);
      this.#wire.hangUp();
      engine.copyData(exactly([copyFail("the client did not send its data")]));
    }
  }

  /** Sends the client the reason why its connection ends, unless a response is half sent. */
  #sayWhy(error: unknown): void {
    if (this.#midAnswer) return;
    if (error instanceof TooSlow) {
      const words = this.#login
        ? "terminating connection due to idle-in-transaction timeout"
        : "the login took too long";
      this.#wire.write(errorResponse("FATAL", this.#login ? "25P03" : "08P01", words));
      return;
    }
    const [state, text] = inWords(error);
    this.#wire.write(errorResponse("FATAL", state, text));
  }

  /** Rolls back the client's open transaction, drops its statements, and ends its turn. */
  async #leaveNothing(): Promise<void> {
    const { engine, turns, loaded } = this.#shop;
    if (loaded.unnamedOwner === this.#statements) loaded.unnamedOwner = null;
    if (this.#shop.lastServed === this) this.#shop.lastServed = null;
    if (turns.holds(this) && this.#shop.generation === engine.generation) {
      this.#shop.clean = null;
      // A lost engine has rolled back already.
      await engine
        .run(
          { batch: undo },
          { data: () => {}, copyIn: () => {} },
          statementMs(this.#shop.limits, this.#login),
        )
        .catch(() => {});
      loaded.unnamedOwner = null;
    }
    turns.give(this);
  }
}

/** True when a batch with this message must not be joined: what follows it is not a batch, or depends on its effect. */
function standsAlone({ type, bytes }: Frame): boolean {
  if (type === "Q" || type === "P")
    return /\b(?:copy|discard|deallocate)\b/i.test(bytes.toString("latin1", 5));
  return !"BEDCS".includes(type);
}

/**
 * A Sync alone would commit the preceding messages: an error first makes it roll back, then rollback ends the
 * transaction block.
 */
const undo = exactly([message("P", "", "no SQL", Buffer.from([0, 0])), sync, query("rollback")]);

function inWords(error: unknown): [sqlState: string, text: string] {
  if (error instanceof ProtocolError || error instanceof NoTurn) return [error.sqlState, error.message];
  if (error instanceof EngineLost) return [error.why === "crash" ? "57P02" : "57014", error.message];
  return ["XX000", `the server failed: ${error instanceof Error ? error.message : String(error)}`];
}
