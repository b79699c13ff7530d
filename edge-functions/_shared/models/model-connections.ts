// Owns which models count for a team: its own connections before the installation's, and those before the environment's. Pure but
// for the keys, which it unseals; must not call a model.
import { Buffer } from "node:buffer";
import type { Env } from "../env.ts";
import { log } from "../operation/log.ts";
import { fetchWithin } from "../outbound/outbound-fetch.ts";
import { modelKeys } from "../secrets/sealed-columns.ts";
import { unseal } from "../secrets/secrets.ts";
import { type ModelSettings, modelsInUse } from "./models.ts";

export const modelRoles = ["chat", "fallback", "embedding", "vision"] as const;
export type ModelRole = (typeof modelRoles)[number];

/** As private.models_of() in sql/56_models.sql gives them. */
type StoredConnection = {
  id: string;
  isTeams: boolean;
  role: ModelRole | "earlierEmbedding";
  provider: string;
  baseUrl: string;
  model: string;
  /** In base64. */
  sealedKey: string | null;
  dimensions: number | null;
  promptPrice: number | null;
  completionPrice: number | null;
};

export type StoredModels = { connections: StoredConnection[]; isCapped: boolean };

/** In US dollars per million tokens. */
export type Prices = { prompt: number | null; completion: number | null };

/** Who pays for a model and may change it. */
type ModelOwner = "team" | "installation" | "environment";

export type Connection = {
  settings: ModelSettings;
  owner: ModelOwner;
  model: string;
  prices: Prices;
};

type EmbeddingConnection = Connection & {
  /** What public.vectors calls the model of its space. */
  space: string;
  dimensions: number;
};

export type ChosenModels = {
  chat: Connection;
  fallback: Connection | undefined;
  /** What reads scanned pages and pictures. */
  vision: Connection | undefined;
  embedding: EmbeddingConnection;
  /** Of spaces that are being left, and of other owners': whatever can still answer for a space. */
  otherEmbeddings: EmbeddingConnection[];
};

/** What a call needs to know of a connection: where, as whom, and by which rules. */
export type Place = { isTeams: boolean; provider: string; baseUrl: string; apiKey: string | undefined };

/**
 * How to call a connection. Whatever is written in the app is called under the rules of outbound.ts; those of the installation's
 * own machines (LOCAL_MODELS) only a platform admin may name.
 */
export function settingsOf(
  { isTeams, provider, baseUrl, apiKey }: Place,
  localModels: string,
): Pick<ModelSettings, "OPENAI_API_KEY" | "OPENAI_BASE_URL" | "fetch" | "headers" | "tokenLimit"> {
  return {
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseUrl,
    fetch: fetchWithin(isTeams ? "" : localModels),
    // Azure takes its keys in a header of its own.
    ...(provider === "azure" && apiKey ? { headers: { "api-key": apiKey } } : {}),
    tokenLimit: provider === "openai" || provider === "azure" ? "max_completion_tokens" : "max_tokens",
  };
}

/** The name of the space that a connection embeds in; as private.space_model(). */
export const spaceModel = (id: string, isTeams: boolean, model: string) =>
  isTeams ? `connection:${id}` : model;

export function chooseModels(
  { connections }: Pick<StoredModels, "connections">,
  settings: Env,
): ChosenModels {
  const find = (role: StoredConnection["role"], isTeams: boolean) =>
    connections.find((one) => one.role === role && one.isTeams === isTeams);
  const chat = find("chat", true) ?? find("chat", false);
  // Who connects a model of their own is not served on somebody else's account when it fails.
  const fallback = find("fallback", true) ?? (chat?.isTeams ? undefined : find("fallback", false));
  const vision = find("vision", true) ?? find("vision", false);
  const embeddings = connections
    .filter(({ role }) => role === "embedding" || role === "earlierEmbedding")
    .map((one) => embeddingOf(one, settings.LOCAL_MODELS));
  const own = find("embedding", true) ?? find("embedding", false);
  const environments = environmentEmbedding(settings);
  const embedding = own ? embeddingOf(own, settings.LOCAL_MODELS) : environments;
  return {
    chat: chat ? connectionOf(chat, settings.LOCAL_MODELS) : environmentChat(settings),
    fallback: fallback && connectionOf(fallback, settings.LOCAL_MODELS),
    vision: vision && connectionOf(vision, settings.LOCAL_MODELS),
    embedding,
    otherEmbeddings: [...embeddings, environments],
  };
}

function connectionOf(stored: StoredConnection, localModels: string): Connection {
  const { id, isTeams, provider, baseUrl, model, sealedKey, promptPrice, completionPrice } = stored;
  const apiKey = sealedKey === null ? undefined : openKey(id, sealedKey);
  return {
    settings: { ...settingsOf({ isTeams, provider, baseUrl, apiKey }, localModels), OPENAI_MODEL: model },
    owner: isTeams ? "team" : "installation",
    model,
    prices: { prompt: promptPrice, completion: completionPrice },
  };
}

/** A key that can no longer be opened is the one model's problem: its provider will not take the call. */
function openKey(id: string, sealedKey: string): string | undefined {
  try {
    return unseal(Buffer.from(sealedKey, "base64"), modelKeys.contextOf(id));
  } catch {
    log("error", "the key of a model cannot be opened with SECRETS_KEY", { connection: id });
    return undefined;
  }
}

function embeddingOf(stored: StoredConnection, localModels: string): EmbeddingConnection {
  const connection = connectionOf(stored, localModels);
  const { model, dimensions } = stored;
  return {
    ...connection,
    settings: {
      ...connection.settings,
      OPENAI_EMBEDDING_MODEL: model,
      OPENAI_EMBEDDING_DIMENSIONS: dimensions ?? undefined,
    },
    space: spaceModel(stored.id, stored.isTeams, model),
    dimensions: dimensions ?? 0,
  };
}

function environmentChat(settings: Env): Connection {
  const { OPENAI_PROMPT_PRICE, OPENAI_COMPLETION_PRICE } = settings;
  return {
    settings,
    owner: "environment",
    model: modelsInUse(settings).chat,
    prices: { prompt: OPENAI_PROMPT_PRICE ?? null, completion: OPENAI_COMPLETION_PRICE ?? null },
  };
}

function environmentEmbedding(settings: Env): EmbeddingConnection {
  const { embedding, dimensions } = modelsInUse(settings);
  return {
    settings,
    owner: "environment",
    model: embedding,
    prices: { prompt: settings.OPENAI_EMBEDDING_PRICE ?? null, completion: null },
    space: embedding,
    dimensions,
  };
}
