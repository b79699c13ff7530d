// Owns one client's socket: incoming frames, with deadlines, and outgoing responses, with bounded memory. Must not
// interpret frames.

import type { Socket } from "node:net";
import { type Frame, FrameReader } from "./protocol.ts";

/** With more unread input than this, a client is paused. */
const pauseAbove = 1024 * 1024;

/** The client missed the deadline. */
export class TooSlow extends Error {}

export class Wire {
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #unused: Frame[] = [];
  /** The client no longer reads our responses. */
  #gone = false;
  /** The client has sent its last byte. */
  #ended = false;
  #wake: (() => void) | null = null;

  /** @param left called when the client has disconnected; perhaps more than once. */
  constructor(socket: Socket, left: () => void) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      this.#reader.push(chunk);
      if (!this.#wake && this.#reader.buffered > pauseAbove) socket.pause();
      this.#wake?.();
    });
    socket.on("end", () => {
      this.#ended = true;
      this.#wake?.();
    });
    const vanished = () => {
      this.#gone = true;
      left();
      this.#wake?.();
    };
    socket.on("error", vanished);
    socket.on("close", vanished);
    socket.on("timeout", () => socket.destroy());
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Response bytes that the client has not read. */
  get unread(): number {
    return this.#socket.writableLength;
  }

  startupIsOver(): void {
    this.#reader.startupIsOver();
  }

  /** The next frame if it has already arrived, or null. */
  nextNow(): Frame | null {
    return this.#unused.shift() ?? this.#reader.next();
  }

  /** Returns frames to the front of the queue. */
  putBack(frames: Frame[]): void {
    this.#unused.unshift(...frames);
  }

  /**
   * The next frame, or null when no more will arrive. Frames that a client sent before it disconnected still count.
   * @param deadline called at each wait, since it may move; Infinity for none.
   * @throws TooSlow, and ProtocolError for an invalid frame.
   */
  async next(deadline: () => number): Promise<Frame | null> {
    for (;;) {
      if (this.#gone) return null;
      const frame = this.nextNow();
      if (frame) return frame;
      if (this.#ended) return null;
      const left = deadline() - Date.now();
      if (left <= 0) throw new TooSlow();
      await this.#something(left);
    }
  }

  /** @param sent called when the bytes have left this process, or never will. */
  write(bytes: Uint8Array, sent?: () => void): void {
    if (this.#gone || !this.#socket.writable || bytes.length === 0) sent?.();
    else this.#socket.write(bytes, sent);
  }

  /** Cuts the client off when it does not read our data within so many ms; 0 removes the limit. */
  mustReadWithin(ms: number): void {
    this.#socket.setTimeout(ms);
  }

  /** Waits until no more than `bytes` are unread. */
  async drained(bytes: number): Promise<void> {
    while (this.unread > bytes && !this.#gone) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#socket.once("drain", resolve);
      });
      this.#wake = null;
    }
  }

  /** Sends pending output and disconnects; further input is ignored. */
  hangUp(): void {
    this.#gone = true;
    this.#socket.end();
    this.#socket.resume();
    setTimeout(() => this.#socket.destroy(), 1000).unref();
    this.#wake?.();
  }

  async #something(forMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = Number.isFinite(forMs) ? setTimeout(resolve, forMs) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#socket.isPaused()) this.#socket.resume();
    });
    this.#wake = null;
  }
}
