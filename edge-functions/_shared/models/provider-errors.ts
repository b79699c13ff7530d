// Owns the form of a provider's refusal: brings each to the one that the openai package reads, whose errors would else be without words.
// Must not judge what the words mean.

/** Characters. What is cut is no JSON any more: its beginning is the error's words. */
const longestError = 65_536;

/**
 * An error response with its body as `{ error }`. Gemini's compatible address sends a list of one such object, Mistral and FastAPI's servers
 * send the error itself.
 */
export async function withReadableError(response: Response): Promise<Response> {
  if (response.status < 400) return response;
  const text = (await response.text()).slice(0, longestError);
  const { status, headers } = response;
  return new Response(readableError(text), { status, headers });
}

function readableError(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const one: unknown = Array.isArray(body) ? body[0] : body;
    if (typeof one !== "object" || one === null) return text;
    return JSON.stringify("error" in one ? one : { error: one });
  } catch {
    return text;
  }
}
