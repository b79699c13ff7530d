// Owns which models apply to a team: its own connections before the installation's, and those before the environment's. Pure, except that
// it unseals keys. Must not call a model.
import { Buffer } from "node:buffer";
import type { Env } from "../env.ts";
import { log } from "../operation/log.ts";
import { fetchWithin } from "../outbound/outbound-fetch.ts";
import { modelKeys } from "../secrets/sealed-columns.ts";
import { unseal } from "../secrets/secrets.ts";
import type { ModelSettings } from "./model-client.ts";
import { modelsInUse } from "./model-names.ts";

export const modelRoles = ["chat", "fallback", "embedding", "vision"] as const;
export type ModelRole = (typeof modelRoles)[number];

/** As private.models_of() in sql/56_models.sql returns them. */
type StoredConnection = {
  id: string;
  isTeams: boolean;
  role: ModelRole | "earlierEmbedding";
  provider: string;
  baseUrl: string;
  model: string;
  /** Base64. */
  sealedKey: string | null;
  dimensions: number | null;
  promptPrice: number | null;
  completionPrice: number | null;
};

export type StoredModels = {
  connections: StoredConnection[];
  /** Whether the team's cap limits its calls, and the installation's those that the installation pays. */
  isCapped: boolean;
  isInstallationCapped: boolean;
};

/** US dollars per million tokens. */
export type Prices = { prompt: number | null; completion: number | null };

/** Who pays for a model and may change it. */
type ModelOwner = "team" | "installation" | "environment";

/** True for a model that the team does not pay itself. */
export const isInstallations = ({ owner }: Pick<Connection, "owner">): boolean => owner !== "team";

export type Connection = {
  settings: ModelSettings;
  owner: ModelOwner;
  model: string;
  prices: Prices;
};

type EmbeddingConnection = Connection & {
  /** The model name of its embedding space in public.vectors. */
  space: string;
  dimensions: number;
};

export type ChosenModels = {
  chat: Connection;
  fallback: Connection | undefined;
  /** Reads scanned pages and images. */
  vision: Connection | undefined;
  embedding: EmbeddingConnection;
  /** Connections of spaces that are being replaced, and of other owners: any that can still embed for a space. */
  otherEmbeddings: EmbeddingConnection[];
};

/** What a call needs of a connection: address, credentials and outbound rules. */
export type Place = { isTeams: boolean; provider: string; baseUrl: string; apiKey: string | undefined };

/**
 * Client settings of a connection. Addresses entered in the app are called under the rules of outbound.ts; only a platform admin may use
 * the installation's own machines (LOCAL_MODELS).
 */
export function settingsOf(
  { isTeams, provider, baseUrl, apiKey }: Place,
  localModels: string,
): Pick<ModelSettings, "OPENAI_API_KEY" | "OPENAI_BASE_URL" | "fetch" | "headers" | "tokenLimit"> {
  return {
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseUrl,
    fetch: fetchWithin(isTeams ? "" : localModels),
    // Azure expects its key in its own header.
    ...(provider === "azure" && apiKey ? { headers: { "api-key": apiKey } } : {}),
    tokenLimit: provider === "openai" || provider === "azure" ? "max_completion_tokens" : "max_tokens",
  };
}

/** Name of a connection's embedding space; mirrors private.space_model(). */
export const spaceModel = (id: string, isTeams: boolean, model: string) =>
  isTeams ? `connection:${id}` : model;

export function chooseModels(
  { connections }: Pick<StoredModels, "connections">,
  settings: Env,
): ChosenModels {
  const find = (role: StoredConnection["role"], isTeams: boolean) =>
    connections.find((one) => one.role === role && one.isTeams === isTeams);
  const chat = find("chat", true) ?? find("chat", false);
  // A team with its own model never falls back to the installation's account.
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

/** Returns undefined for a key that cannot be unsealed: only this model's calls fail, because its provider rejects them. */
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
