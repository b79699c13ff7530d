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
  const reader = response.body.getReader();
  let size = 0;
  let leave = () => {};
  const end = () => signal?.removeEventListener("abort", leave);
  // A TransformStream does the same for twice the work.
  const counted = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        leave = () => {
          controller.error(signal?.reason);
          reader.cancel(signal?.reason).catch(() => {});
        };
        if (signal?.aborted) leave();
        else signal?.addEventListener("abort", leave, { once: true });
      },
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          end();
          throw error;
        });
        if (signal?.aborted) return;
        size += value?.byteLength ?? 0;
        if (done || size > maxBytes) end();
        if (size > maxBytes) {
          reader.cancel().catch(() => {});
          throw new Error("the answer is larger than can be taken");
        }
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(counted, response);
}
