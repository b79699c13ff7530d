// Owns a team's models: its chat model with the fallback, each embedding space with the connection that serves it, and the count of every
// call against the team's budget. Must not know what is asked or why.
import { asService } from "../database/db.ts";
import { env } from "../env.ts";
import { sentenceOf } from "../text/sentences.ts";
import type { ChatEvent, ChatOptions, EmbedOptions, ModelClient, ModelLimits } from "./model-client.ts";
import {
  type ChosenModels,
  type Connection,
  chooseModels,
  isInstallations,
  type StoredModels,
  spaceModel,
} from "./model-connections.ts";
import {
  costOf,
  releaseCost,
  reserveCost,
  type Spender,
  type Spent,
  settleCosts,
  type Taken,
  type Tokens,
} from "./model-costs.ts";
import { faultOf, ModelError, type ModelFault } from "./model-errors.ts";
import { isBuiltIn } from "./model-names.ts";
import { textOf } from "./model-tools.ts";
import { modelClient } from "./models.ts";
import { countTokens } from "./tokens.ts";

/** With a fallback, a busy or silent model gets less time, because a reader is waiting. */
const withFallback: Partial<ModelLimits> = { retries: 0, chatTimeoutMs: 30_000 };
/** Maximum reply of a team with a cap, in tokens, so that a reply never costs more than its reservation. */
const longestCappedReply = 4_096;
/** Maximum tokens that providers count for an image. */
const tokensOfPicture = 50_000;
/** Maximum tokens that a provider adds around each message. */
const tokensAroundMessage = 16;

/** Models whose calls are counted together; the caller settles once at the end. */
export type AccountedModels = ModelClient & { settle(): Promise<void> };

/** A model that reads images. Counted against the budget like any other. */
export type VisionModel = Pick<ModelClient, "chatStream"> & { model: string };

type TeamModels = ModelClient & { vision: VisionModel | undefined };

/**
 * The models of a team, from its connections and the environment.
 * @param stored as private.models_of() returns it
 */
export function teamModels(stored: StoredModels, spender: Spender): AccountedModels {
  const calls = new Calls(stored, { spender, isTogether: true, changes: {} });
  return { ...clientOf(calls), settle: () => calls.settle() };
}

function clientOf(calls: Calls): ModelClient {
  const { chat, embedding } = calls.chosen;
  return {
    inUse: {
      chat: chat.model,
      embedding: embedding.space,
      dimensions: embedding.dimensions,
      offline: isBuiltIn(chat.model),
    },
    embed: (texts, options) => calls.embed(texts, options),
    chatStream: (options) => calls.chatStream(options),
  };
}

/** Reads the team's connections first; counts each call when it ends. */
export async function readTeamModels(
  spender: Spender,
  changes: Partial<ModelLimits> = {},
): Promise<TeamModels> {
  return modelsOf(await readStoredModels(spender.teamId), spender, changes);
}

/** As readTeamModels(), for connections already read. */
export function modelsOf(
  stored: StoredModels,
  spender: Spender,
  changes: Partial<ModelLimits> = {},
): TeamModels {
  const calls = new Calls(stored, { spender, isTogether: false, changes });
  const { vision } = calls.chosen;
  return {
    ...clientOf(calls),
    vision: vision && { model: vision.model, chatStream: (options) => calls.stream(options, [vision]) },
  };
}

/** Models for a search across teams: each space is embedded by the team whose connection serves it. */
export async function readModelsOfTeams(
  teamIds: string[],
  channel: string,
): Promise<ModelClient | undefined> {
  const teams = await Promise.all(
    teamIds.map(async (teamId) => {
      const stored = await readStoredModels(teamId);
      const spaces = stored.connections.map(({ id, isTeams, model }) => spaceModel(id, isTeams, model));
      const spender = { teamId, agentId: null, channel };
      return { spaces, client: clientOf(new Calls(stored, { spender, isTogether: false, changes: {} })) };
    }),
  );
  const [first] = teams;
  if (!first) return undefined;
  const knowing = (model?: string) => teams.find(({ spaces }) => model && spaces.includes(model)) ?? first;
  return {
    ...first.client,
    embed: (texts, options) => knowing(options?.model).client.embed(texts, options),
  };
}

/** Runs as the service: the connections hold sealed keys, which no client may see. */
export async function readStoredModels(teamId: string): Promise<StoredModels> {
  const [row] = await asService(
    (tx) => tx<{ models: StoredModels }[]>`select private.models_of(${teamId}) as models`,
  );
  return row?.models ?? { connections: [], isCapped: false, isInstallationCapped: false };
}

type Rules = { spender: Spender; isTogether: boolean; changes: Partial<ModelLimits> };

class Calls {
  readonly chosen: ChosenModels;
  readonly #stored: StoredModels;
  readonly #rules: Rules;
  #taken: Taken[] = [];

  constructor(stored: StoredModels, rules: Rules) {
    this.chosen = chooseModels(stored, env());
    this.#stored = stored;
    this.#rules = rules;
  }

  async settle(): Promise<void> {
    const taken = this.#taken;
    this.#taken = [];
    await settleCosts(this.#rules.spender, taken);
  }

  async embed(texts: string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const { embedding, otherEmbeddings } = this.chosen;
    const { model = embedding.space, dimensions = embedding.dimensions, signal } = options;
    const known = [embedding, ...otherEmbeddings].find(
      (one) => one.space === model && one.dimensions === dimensions,
    );
    if (!known && model.startsWith("connection:")) {
      throw new ModelError("refused", sentenceOf("embeddingDisconnected"));
    }
    // A space without a connection is embedded at the environment's provider, which may still have the model.
    const connection: Connection = known ?? { ...embedding, model };
    const client = modelClient(connection.settings, this.#rules.changes);
    const callEmbed = () => client.embed(texts, { model: connection.model, dimensions, signal });
    if (isBuiltIn(connection.model)) return await callEmbed();
    const tokens = { prompt: texts.reduce((sum, text) => sum + bytesOf(text), 0), completion: 0 };
    const reservation = await this.#reserve(tokens, [connection]);
    try {
      const vectors = await callEmbed();
      const reported = client.embeddedTokens();
      await this.#count(reservation, {
        kind: "embedding",
        model: connection.model,
        prices: connection.prices,
        isInstallations: isInstallations(connection),
        isEstimated: reported === null,
        prompt: reported ?? estimateTokens(texts),
        completion: 0,
      });
      return vectors;
    } catch (error) {
      await releaseCost(this.#rules.spender.teamId, reservation);
      throw error;
    }
  }

  async *chatStream(options: ChatOptions): AsyncGenerator<ChatEvent> {
    const { chat, fallback } = this.chosen;
    if (isBuiltIn(options.model || chat.model)) return yield* this.#open(chat, options);
    // Another model of the provider may cost many times as much, which the cap could not see.
    const asked = this.#limitsCostOf(chat) ? { ...options, model: undefined } : options;
    yield* this.stream(asked, fallback ? [chat, fallback] : [chat]);
  }

  #limitsCostOf(connection: Connection): boolean {
    const { prices } = connection;
    return this.#isCapped(connection) && (Boolean(prices.prompt) || Boolean(prices.completion));
  }

  #isCapped(connection: Connection): boolean {
    return this.#stored.isCapped || (this.#stored.isInstallationCapped && isInstallations(connection));
  }

  /** @param candidates the chat model, and the fallback if there is one */
  async *stream(
    options: ChatOptions,
    candidates: [Connection] | [Connection, Connection],
  ): AsyncGenerator<ChatEvent> {
    const [first] = candidates;
    const most = {
      prompt:
        textsOf(options).reduce((sum, text) => sum + bytesOf(text) + tokensAroundMessage, 0) +
        picturesIn(options) * tokensOfPicture,
      completion: longestCappedReply,
    };
    const reservation = await this.#reserve(most, candidates);
    const reply = new ReplyUsage(options, first);
    try {
      yield* this.#streamReply(
        { ...options, maxTokens: reservation === null ? options.maxTokens : longestCappedReply },
        reply,
        candidates,
      );
    } catch (error) {
      reply.failure = error;
      throw error;
    } finally {
      // Also when the reader has left.
      if (reply.isFree) await releaseCost(this.#rules.spender.teamId, reservation);
      else await this.#count(reservation, reply.costSoFar());
    }
    yield reply.usage();
    if (reply.isCut && options.maxTokens === undefined)
      throw new ModelError("too_long", sentenceOf("modelTooLong"));
  }

  /** Streams the chat model's reply or, if it fails transiently before its first word, the fallback's. */
  async *#streamReply(
    options: ChatOptions,
    reply: ReplyUsage,
    [chat, fallback]: [Connection, Connection?],
  ): AsyncGenerator<ChatEvent> {
    try {
      return yield* reply.record(this.#open(chat, options, fallback ? withFallback : {}));
    } catch (error) {
      if (!fallback || reply.hasStarted || options.signal?.aborted || !mayPass(error)) throw error;
    }
    reply.switchTo(fallback);
    yield* reply.record(this.#open(fallback, { ...options, model: undefined }));
  }

  #open(connection: Connection, options: ChatOptions, limits: Partial<ModelLimits> = {}) {
    return modelClient(connection.settings, { ...limits, ...this.#rules.changes }).chatStream(options);
  }

  async #count(reservation: string | null, spent: Spent): Promise<void> {
    this.#taken.push({ reservation, spent });
    if (!this.#rules.isTogether) await this.settle();
  }

  /** Reserves only if a cap applies and the models a price. */
  async #reserve(most: Tokens, connections: Connection[]): Promise<string | null> {
    if (!connections.some((one) => this.#isCapped(one))) return null;
    const cost = Math.max(...connections.map(({ prices }) => costOf(most, prices)));
    if (cost === 0) return null;
    return await reserveCost(this.#rules.spender.teamId, cost, connections.some(isInstallations));
  }
}

/** What one reply cost, as far as it is known. */
class ReplyUsage {
  failure: unknown;
  hasStarted = false;
  isCut = false;
  #text = "";
  #usage: Extract<ChatEvent, { type: "usage" }> | undefined;
  #connection: Connection;
  #model: string;
  #isFallback = false;
  readonly #options: ChatOptions;

  constructor(options: ChatOptions, chat: Connection) {
    this.#options = options;
    this.#connection = chat;
    this.#model = options.model || chat.model;
  }

  async *record(events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
    for await (const event of events) {
      if (event.type === "usage") this.#usage = event;
      else if (event.type === "cut") this.isCut = true;
      else {
        this.hasStarted = true;
        this.#text += event.type === "delta" ? event.text : JSON.stringify(event.calls);
        yield event;
      }
    }
  }

  switchTo(fallback: Connection) {
    this.#connection = fallback;
    this.#model = fallback.model;
    this.#isFallback = true;
  }

  /** True when the provider refused the request before any output. */
  get isFree(): boolean {
    return !this.hasStarted && !this.#usage && this.failure instanceof ModelError;
  }

  get #tokens(): Tokens {
    return this.#usage
      ? { prompt: this.#usage.promptTokens, completion: this.#usage.completionTokens }
      : {
          prompt: estimateTokens(textsOf(this.#options)),
          completion: estimateTokens([this.#text]),
        };
  }

  costSoFar() {
    const isEstimated = this.#usage === undefined;
    const { prices } = this.#connection;
    return {
      kind: "chat" as const,
      model: this.#model,
      prices,
      isInstallations: isInstallations(this.#connection),
      isEstimated,
      ...this.#tokens,
    };
  }

  usage(): ChatEvent {
    const { prompt, completion } = this.#tokens;
    return {
      type: "usage",
      promptTokens: prompt,
      completionTokens: completion,
      model: this.#model,
      ...(this.#isFallback ? { fallback: true } : {}),
      ...(this.#usage ? {} : { estimated: true }),
    };
  }
}

/** True when another model may succeed: this one is overloaded, down, silent, or its account is exhausted. */
const mayPass = (error: unknown): boolean => error instanceof ModelError && passing.has(faultOf(error));
const passing = new Set<ModelFault>(["busy", "usedUp", "unreachable", "slow"]);

/** All text sent to a model. */
const textsOf = ({ messages, tools = [] }: ChatOptions) => [
  ...messages.map(textOf),
  ...tools.map((tool) => JSON.stringify(tool)),
];

const picturesIn = ({ messages }: ChatOptions) =>
  messages.reduce((sum, one) => sum + ("images" in one ? one.images.length : 0), 0);

const encoder = new TextEncoder();
/** No text has more tokens than bytes. */
const bytesOf = (text: string) => encoder.encode(text).byteLength;
const estimateTokens = (texts: string[]) => texts.reduce((sum, text) => sum + countTokens(text), 0);
