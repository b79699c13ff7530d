// Owns the framing between the two processes: a line of JSON with a byte length, then that many bytes. Does not know what they
// mean.

/** @param header JSON without line feeds, as JSON.stringify() returns it */
export function frameHeader(header: object, byteLength: number): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ header, byteLength })}\n`);
}

export interface Frame<Header> {
  header: Header;
  /** Shared, so that a thread receives them without a copy. */
  bytes: SharedArrayBuffer;
}

/** The frames of a stream, each yielded once its last byte has arrived. */
export async function* framesOf<Header>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame<Header>> {
  let line = "";
  let frame: Frame<Header> | undefined;
  let filled = 0;
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length || (frame && filled === frame.bytes.byteLength); ) {
      if (!frame) {
        const feed = chunk.indexOf(0x0a, at);
        line += decoder.decode(chunk.subarray(at, feed === -1 ? undefined : feed), { stream: feed === -1 });
        at = feed === -1 ? chunk.length : feed + 1;
        if (feed === -1) continue;
        const { header, byteLength } = JSON.parse(line);
        line = "";
        filled = 0;
        frame = { header, bytes: new SharedArrayBuffer(byteLength) };
      }
      const part = chunk.subarray(at, at + frame.bytes.byteLength - filled);
      new Uint8Array(frame.bytes).set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < frame.bytes.byteLength) continue;
      yield frame;
      frame = undefined;
    }
  }
}
