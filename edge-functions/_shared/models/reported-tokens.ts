// Owns the token counts that providers report, which are any JSON: what is no count is left out, and the caller estimates instead. Pure.

/** No call has more tokens; the sum of many stays within the database's numbers. */
const mostTokens = 1_000_000_000;

export const readCount = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostTokens ? value : null;

/**
 * Of a reply. Gemini and Grok count a model's thoughts in the total alone, and charge for them as for the reply.
 * Sources: docs.x.ai (consumption), ai.google.dev/gemini-api/docs/thinking (pricing).
 */
export function readUsage(usage: unknown): { promptTokens: number; completionTokens: number } | undefined {
  const { prompt_tokens, completion_tokens, total_tokens } = Object(usage);
  const promptTokens = readCount(prompt_tokens);
  const said = readCount(completion_tokens);
  if (promptTokens === null || said === null) return undefined;
  return { promptTokens, completionTokens: Math.max(said, (readCount(total_tokens) ?? 0) - promptTokens) };
}
