// Owns what a provider refuses of a chat request, which only its error tells: a temperature, the token count of a stream, the name of the
// reply's limit, the role of the system, tools. Remembers it, so that the next call is right at once. Must not make a call.
// Sources: platform.openai.com/docs/guides/reasoning (temperature, max_tokens), docs.mistral.ai/api (no stream_options),
// huggingface/chat-ui#1386 and Mintplex-Labs/anything-llm#2914 (system).
import { LRUCache } from "lru-cache";
import { APIError } from "openai";

export type Parameter =
  | "temperature"
  | "stream_options"
  | "max_tokens"
  | "max_completion_tokens"
  | "system"
  | "tools";

/** The statuses with which servers refuse a parameter, and its names in their errors. The broadest words come last. */
const signs: [Parameter, number[], RegExp][] = [
  ["temperature", [400, 422], /temperature/i],
  ["stream_options", [400, 422], /stream_options|include_usage/i],
  ["max_completion_tokens", [400, 422], /max_completion_tokens/i],
  ["max_tokens", [400, 422], /max_tokens/i],
  // The words of chat templates: Gemma 2, and Mistral's first models.
  ["system", [400, 422, 500], /system role|only user and assistant roles|roles must alternate/i],
  // Each server words it differently: the model, or the way the server was started, does not support tools.
  ["tools", [400, 404, 405, 422, 501], /tool|function/i],
];
const otherCauses = new Set(["model_not_found", "context_length_exceeded"]);
/** Characters of an error that are searched. */
const mostText = 5_000;

/** False for Groq's refusal of one badly written call of a tool. Source: console.groq.com/docs/tool-use. */
export const isLasting = (error: unknown): boolean =>
  !(error instanceof APIError && error.code === "tool_use_failed");

/** The parameter or role among those sent that an error refuses. */
export function refusedParameter(error: unknown, sent: string[]): Parameter | undefined {
  if (!(error instanceof APIError) || otherCauses.has(error.code ?? "")) return undefined;
  // An error within a stream has no status.
  const { status = 400, param, message } = error;
  // OpenRouter quotes the provider's own error within its own.
  const text = `${param ?? ""} ${message} ${JSON.stringify(error.error ?? "")}`.slice(0, mostText);
  return signs.find(
    ([parameter, statuses, name]) => sent.includes(parameter) && statuses.includes(status) && name.test(text),
  )?.[0];
}

/** For some minutes: an operator may enable meanwhile what was refused. */
const refusals = new LRUCache<string, true>({ max: 500, ttl: 10 * 60_000 });
const keyOf = (address: string, model: string, parameter: Parameter) => `${address} ${model} ${parameter}`;

/** What a model recently refused. @param address of its provider */
export const knownRefusals = (address: string, model: string): Set<Parameter> =>
  new Set(
    signs.flatMap(([parameter]) => (refusals.has(keyOf(address, model, parameter)) ? [parameter] : [])),
  );

export function noteRefusal(address: string, model: string, parameter: Parameter): void {
  refusals.set(keyOf(address, model, parameter), true);
}
