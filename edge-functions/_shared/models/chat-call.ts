// Owns one call to a chat model: the request, what a provider refuses of it, and the events of its stream. Must not know what is asked.
import type OpenAI from "openai";
import { sentenceOf } from "../text/sentences.ts";
import { maxAnswerBytes, readEvents } from "./event-reader.ts";
import type {
  ChatEvent,
  ChatOptions,
  ModelLimits,
  ModelSettings,
  ModelsInUse,
  TokenLimit,
} from "./model-client.ts";
import { ModelError, retryModelCall, toModelError } from "./model-errors.ts";
import { isBuiltIn } from "./model-names.ts";
import {
  ToolCallReader,
  takingTurns,
  toolsOf,
  toProtocol,
  withoutSystem,
  withoutTools,
} from "./model-tools.ts";
import {
  isLasting,
  knownRefusals,
  noteRefusal,
  type Parameter,
  refusedParameter,
} from "./refused-parameters.ts";
import { mayBeginWithThoughts, StorableText, ThoughtFilter, thoughtsOf, wordsOf } from "./reply-text.ts";
import { readUsage } from "./reported-tokens.ts";
import { unlessAborted, watchStream } from "./watched-stream.ts";

/** Characters. A model that exceeds this is stuck in a loop. */
const longestReply = 200_000;
const tooLate = new Error("the reply did not end in time");
/** Without a reason, an abort creates an exception with a stack trace. */
const isOver = new Error("the reply is over");

/** @throws ModelError; the signal's reason when aborted */
export async function* chatStream(
  openai: OpenAI,
  inUse: ModelsInUse,
  { tokenLimit, ...limits }: ModelLimits & Pick<ModelSettings, "tokenLimit">,
  options: ChatOptions,
): AsyncGenerator<ChatEvent> {
  const { signal } = options;
  const stall = new AbortController();
  const end = setTimeout(() => stall.abort(tooLate), limits.replyTimeoutMs);
  const leave = () => stall.abort(signal?.reason);
  if (signal?.aborted) leave();
  else signal?.addEventListener("abort", leave, { once: true });
  const request = new ChatRequest(openai, { ...options, model: options.model || inUse.chat }, tokenLimit);
  const open = () => request.open({ signal: stall.signal, timeout: limits.chatTimeoutMs });
  let isRead = false;
  try {
    let events: AsyncGenerator<ChatEvent>;
    let first: IteratorResult<ChatEvent> | undefined;
    do {
      // Ollama stops loading a model when its caller leaves, and a model that thinks is paid for what it thought.
      const opened = retryModelCall(limits, stall.signal, open, true);
      const response = await unlessAborted(opened, stall.signal);
      const arrivals = readEvents(response, { maxBytes: maxAnswerBytes, signal: stall.signal });
      events = eventsOf(watchStream(arrivals, limits.chatTimeoutMs, stall), request.thoughts);
      // LM Studio refuses a request within the stream, after a status of 200.
      first = await events.next().catch((error: unknown) => {
        if (!request.omitRefused(error)) throw error;
        return undefined;
      });
    } while (!first);
    if (!first.done) yield first.value;
    yield* events;
    isRead = true;
  } catch (error) {
    signal?.throwIfAborted();
    if (stall.signal.reason === tooLate) throw new ModelError("timeout", sentenceOf("modelNoAnswer"));
    if (stall.signal.aborted) throw new ModelError("timeout", sentenceOf("modelSilent"));
    throw toModelError(error);
  } finally {
    clearTimeout(end);
    signal?.removeEventListener("abort", leave);
    // Of a response that was read to its end nothing is left to abort, and fetch's own abort costs as much as a word.
    if (!isRead) stall.abort(isOver);
  }
}

/** A chat request that is sent again without what the provider refuses of it. */
class ChatRequest {
  readonly #openai: OpenAI;
  readonly #options: ChatOptions & { model: string };
  readonly #tokenLimit: TokenLimit;
  readonly #refused: Set<Parameter>;
  readonly #found: Parameter[] = [];
  /** The parameters and roles of the latest request. */
  #sent: string[] = [];
  /** The built-in model has no thoughts: what begins like them is a document's words. */
  readonly thoughts: ThoughtFilter | undefined;

  constructor(
    openai: OpenAI,
    options: ChatOptions & { model: string },
    tokenLimit: TokenLimit = "max_tokens",
  ) {
    this.#openai = openai;
    this.#options = options;
    this.#tokenLimit = tokenLimit;
    this.#refused = knownRefusals(openai.baseURL, options.model);
    this.thoughts = isBuiltIn(options.model)
      ? undefined
      : new ThoughtFilter(mayBeginWithThoughts(options.model));
  }

  async open(call: { signal: AbortSignal; timeout: number }): Promise<Response> {
    for (;;) {
      const body = this.#body();
      this.#sent = [...Object.keys(body), ...body.messages.map(({ role }) => role)];
      try {
        const response = await this.#openai.chat.completions.create(body, call).asResponse();
        this.#noteRefusals();
        return response;
      } catch (error) {
        if (!this.omitRefused(error)) throw error;
      }
    }
  }

  /** Leaves out of the next request what an error refuses of the latest one. @returns whether there is such a part */
  omitRefused(error: unknown): boolean {
    const parameter = refusedParameter(error, this.#sent);
    if (!parameter || this.#refused.has(parameter)) return false;
    this.#refused.add(parameter);
    if (isLasting(error)) this.#found.push(parameter);
    return true;
  }

  #body() {
    const { model, messages, temperature, maxTokens, tools = [], mayCall = true } = this.#options;
    const sends = (parameter: Parameter) => !this.#refused.has(parameter);
    const hasTools = tools.length > 0 && !isBuiltIn(model) && sends("tools");
    const said = hasTools ? messages : withoutTools(messages);
    const told = sends("system") ? said : withoutSystem(said);
    return {
      model,
      messages: toProtocol(isBuiltIn(model) ? told : takingTurns(told)),
      stream: true as const,
      ...(sends("stream_options") ? { stream_options: { include_usage: true } } : {}),
      ...(maxTokens === undefined ? {} : { [this.#limitName()]: maxTokens }),
      ...(hasTools
        ? { tools: toolsOf(tools), tool_choice: mayCall ? ("auto" as const) : ("none" as const) }
        : {}),
      ...(temperature !== undefined && sends("temperature") ? { temperature } : {}),
    };
  }

  /** A refused limit has another name, never none: it is what a reply may cost. */
  #limitName(): TokenLimit {
    const other = this.#tokenLimit === "max_tokens" ? "max_completion_tokens" : "max_tokens";
    return this.#refused.has(this.#tokenLimit) ? other : this.#tokenLimit;
  }

  /** Only what turned out to be the cause: the request without it succeeded. */
  #noteRefusals(): void {
    const { model, messages } = this.#options;
    for (const parameter of this.#found) {
      // In the middle of a conversation the provider may have rejected another thing about the tools.
      if (parameter === "tools" && messages.some(({ role }) => role === "tool")) continue;
      noteRefusal(this.#openai.baseURL, model, parameter);
    }
  }
}

/** A server that does not stream sends the whole message at once. */
type Choice = OpenAI.ChatCompletionChunk.Choice & { message?: OpenAI.ChatCompletionChunk.Choice.Delta };

/** @param arrivals lists of chunks; the words of one arrival leave as one delta */
async function* eventsOf(
  arrivals: AsyncIterable<unknown[]>,
  thoughts: ThoughtFilter | undefined,
): AsyncGenerator<ChatEvent> {
  let begun = false;
  let finished = false;
  let isCut = false;
  let length = 0;
  let usage: ChatEvent | undefined;
  const called = new ToolCallReader();
  const storable = new StorableText();
  for await (const chunks of arrivals) {
    let text = "";
    let isFiltered = false;
    for (const chunk of chunks.filter(isChunk)) {
      const choice: Choice | undefined = chunk.choices?.[0];
      if (choice) begun = true;
      const delta = choice?.delta ?? choice?.message;
      called.push(delta?.tool_calls);
      if (thoughtsOf(delta)) thoughts?.areApart();
      const words = wordsOf(delta?.content);
      text += `${thoughts ? thoughts.push(words) : words}${delta?.refusal ?? ""}`;
      isFiltered ||= choice?.finish_reason === "content_filter";
      isCut ||= choice?.finish_reason === "length";
      // OpenRouter's reason for a provider that failed. Source: openrouter.ai/docs/api/reference/errors-and-debugging.
      if (choice?.finish_reason && String(choice.finish_reason) !== "error") finished = true;
      const reported = readUsage(chunk.usage);
      if (reported) usage = { type: "usage", ...reported };
    }
    text = storable.push(text);
    length += text.length;
    if (length > longestReply) throw new ModelError("bad_answer", sentenceOf("modelEndless"));
    if (text) yield { type: "delta", text };
    if (isFiltered) throw new ModelError("refused", sentenceOf("modelFilter"));
  }
  const held = thoughts?.end();
  if (held) yield { type: "delta", text: storable.push(held) };
  if (!begun) throw new ModelError("bad_answer", sentenceOf("modelNoReply"));
  // A dropped connection looks like the end of the stream; only finish_reason shows that the reply is complete.
  if (!finished) throw new ModelError("unavailable", sentenceOf("modelLostInReply"));
  const calls = called.calls();
  if (calls.length > 0) yield { type: "toolCalls", calls };
  if (isCut) yield { type: "cut" };
  if (usage) yield usage;
}

/** The protocol's fields are all optional here: servers differ in what they send. */
const isChunk = (event: unknown): event is Partial<OpenAI.ChatCompletionChunk> => isRecord(event);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
