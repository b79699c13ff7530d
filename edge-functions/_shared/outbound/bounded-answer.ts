// Owns the size limit of a service's answer: a larger answer fails. Does not make calls.

/**
 * Returns the answer with a body that fails once it exceeds `maxBytes` or the call's signal is aborted. Deno's fetch loses the signal
 * after the headers have arrived and the garbage collector has run, and a silent body then hangs forever.
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
