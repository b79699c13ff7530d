// Owns one client's socket: its frames as they come, with deadlines, and its answers as they leave, without filling
// our memory. Must not know what the frames mean.

import type { Socket } from "node:net";
import { type Frame, FrameReader } from "./protocol.ts";

/** Beyond this much unread input a client has to wait. */
const pauseAbove = 1024 * 1024;

/** The client let the deadline pass. */
export class TooSlow extends Error {}

export class Wire {
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #unused: Frame[] = [];
  /** Nobody reads our answers any more. */
  #gone = false;
  /** The client has sent its last byte. */
  #ended = false;
  #wake: (() => void) | null = null;

  /** @param left called when the client is gone; perhaps more than once. */
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

  /** Bytes of answers that the client has not read. */
  get unread(): number {
    return this.#socket.writableLength;
  }

  startupIsOver(): void {
    this.#reader.startupIsOver();
  }

  /** A frame that is already here, or null. */
  nextNow(): Frame | null {
    return this.#unused.shift() ?? this.#reader.next();
  }

  /** Frames that were taken too early: the next ones again. */
  putBack(frames: Frame[]): void {
    this.#unused.unshift(...frames);
  }

  /**
   * The next frame, or null when no more will come. What a client sent before it hung up still counts.
   * @param deadline asked anew at each wait, since it may move; Infinity for none.
   * @throws TooSlow, and ProtocolError for what is no frame.
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

  /** From here on the client must take what we send within so many ms, or is cut off; 0 ends that. */
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

  /** Sends what is written and hangs up; input means nothing any more. */
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
