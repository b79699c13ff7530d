// Owns how much of a service's answer is taken in: an answer that goes on beyond it breaks off. Does not call anybody.

/** The same answer, whose body fails once it is larger than `maxBytes`. */
export function boundedAnswer(response: Response, maxBytes: number): Response {
  if (!response.body) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) controller.error(new Error("the answer is larger than can be taken"));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}
