// Owns how much of a service's answer is taken in: an answer that goes on beyond it breaks off. Does not call anybody.

/**
 * The same answer, whose body fails once it is larger than `maxBytes`, or the call's signal is aborted: Deno's fetch no longer
 * hears of an abort once it has the headers and the garbage collector has run, and a silent body then hangs for good.
 */
export function boundedAnswer(
  response: Response,
  maxBytes: number,
  signal: AbortSignal | null | undefined,
): Response {
  if (!response.body) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) controller.error(new Error("the answer is larger than can be taken"));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted, { signal: signal ?? undefined }), response);
}
