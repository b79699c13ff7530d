// Owns server-sent events: encodes events for one reader. Must not know what they mean.

/** Far below the time after which proxies close a silent connection. */
const silenceMs = 15_000;
/**
 * Number of silent intervals after which a reader who takes nothing has stalled. The stream is then cancelled, and with it the model's
 * reply that feeds it.
 */
const mostSilences = 4;

/** A queue of events for one reader, who may arrive late or leave early. */
export class Channel<T> implements AsyncIterable<T> {
  private readonly waiting: T[] = [];
  private wake: (() => void) | undefined;
  private ended = false;
  private left = false;

  push(value: T): void {
    if (this.left || this.ended) return;
    this.waiting.push(value);
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        const values = this.waiting.splice(0);
        yield* values;
        if (this.waiting.length > 0) continue;
        if (this.ended) return;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      this.left = true;
      this.waiting.length = 0;
    }
  }
}

/** Formats one event as text/event-stream (HTML, section 9.2). */
export function serverSentEvent(data: string, event?: string): string {
  const lines = data.split("\n").map((line) => `data: ${line}\n`);
  return `${event ? `event: ${event}\n` : ""}${lines.join("")}\n`;
}

/**
 * A response that streams frames, with a comment line after each silent interval. When the reader leaves, only the iteration of `frames`
 * ends, at its next frame.
 */
export function eventStreamResponse(frames: AsyncIterable<string>): Response {
  const encoder = new TextEncoder();
  const iterator = frames[Symbol.asyncIterator]();
  let timer: ReturnType<typeof setInterval> | undefined;
  let untaken = 0;
  const leave = () => {
    clearInterval(timer);
    void iterator.return?.();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        const isTaken = (controller.desiredSize ?? 0) > 0;
        untaken = isTaken ? 0 : untaken + 1;
        if (isTaken) controller.enqueue(encoder.encode(": still here\n\n"));
        if (untaken < mostSilences) return;
        leave();
        controller.error(new Error("the reader has stalled"));
      }, silenceMs);
    },
    async pull(controller) {
      untaken = 0;
      const next = await iterator.next();
      if (next.done) {
        clearInterval(timer);
        controller.close();
      } else controller.enqueue(encoder.encode(next.value));
    },
    cancel: leave,
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store, no-transform",
      // Keeps reverse proxies from buffering events.
      "X-Accel-Buffering": "no",
    },
  });
}
