// Owns one client's socket: incoming frames, with time limits, and outgoing responses, with bounded memory. Must not
// interpret frames.

import type { Socket } from "node:net";
import type { Patience } from "./patience.ts";
import { type Frame, FrameReader } from "./protocol.ts";

/** With more unread input than this, a client is paused. */
const pauseAbove = 1024 * 1024;
/** Response bytes that a client may leave unread before the sender waits for it. */
const maxUnread = 4 * 1024 * 1024;

/** Thrown when the client's time is over. */
export class TooSlow extends Error {}

export class Wire {
  readonly #socket: Socket;
  readonly #reader = new FrameReader(true);
  #unused: Frame[] = [];
  /** True when the client no longer reads our responses. */
  #gone = false;
  /** True when the client has sent its last byte. */
  #ended = false;
  #wake: () => void = () => {};
  #drained: () => void = () => {};

  /** @param left called when the client has disconnected; perhaps more than once. */
  constructor(socket: Socket, left: () => void) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      this.#reader.push(chunk);
      if (this.#reader.buffered > pauseAbove) socket.pause();
      this.#wake();
    });
    socket.on("drain", () => this.#drained());
    socket.on("timeout", () => socket.destroy());
    socket.on("end", () => {
      this.#ended = true;
      this.#wake();
    });
    const leave = () => {
      this.#gone = true;
      left();
      this.#wake();
      this.#drained();
    };
    socket.on("error", leave);
    socket.on("close", leave);
  }

  get gone(): boolean {
    return this.#gone;
  }

  startupIsOver(): void {
    this.#reader.startupIsOver();
  }

  /** The next frame if it has already arrived, or null. */
  nextNow(): Frame | null {
    return this.#unused.shift() ?? this.#reader.next();
  }

  /** Returns frames to the front of the queue. */
  putBack(...frames: Frame[]): void {
    this.#unused.unshift(...frames);
  }

  /**
   * The next frame, or null when no more will arrive. Frames that a client sent before it disconnected still count.
   * @throws TooSlow, and ProtocolError for an invalid frame.
   */
  async next(patience?: Patience): Promise<Frame | null> {
    for (;;) {
      if (this.#gone) return null;
      const frame = this.nextNow();
      if (frame) return frame;
      if (this.#ended) return null;
      if (patience?.isOver) throw new TooSlow();
      await this.#something(patience);
    }
  }

  write(bytes: Uint8Array): void {
    if (!this.#gone && this.#socket.writable && bytes.length > 0) this.#socket.write(bytes);
  }

  /** Waits for a client that lags behind. False when it disconnects, or reads nothing for `withinMs`. */
  async keepsUp(withinMs: number): Promise<boolean> {
    if (this.#socket.writableLength > maxUnread && !this.#gone) {
      this.#socket.setTimeout(withinMs);
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
      this.#socket.setTimeout(0);
    }
    return !this.#gone && this.#socket.writable;
  }

  /** Sends pending output and disconnects; further input is ignored. */
  hangUp(): void {
    this.#gone = true;
    this.#socket.end();
    this.#socket.resume();
    setTimeout(() => this.#socket.destroy(), 1000).unref();
    this.#wake();
  }

  /** Waits for input, for the client's end, or for a step of the time. */
  async #something(patience: Patience | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const endWait = patience?.step(resolve);
      this.#wake = () => {
        endWait?.();
        resolve();
      };
      this.#socket.resume();
    });
    this.#wake = () => {};
  }
}
