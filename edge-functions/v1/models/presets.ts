// Owns the services that can be connected by name: their OpenAI-compatible addresses, and suggested models. Pure.

export const providers = [
  "openai",
  "anthropic",
  "mistral",
  "gemini",
  "openrouter",
  "azure",
  "ollama",
  "lmstudio",
  "custom",
] as const;
export type Provider = (typeof providers)[number];

export type Preset = {
  provider: Provider;
  /** Null if each customer has their own. */
  baseUrl: string | null;
  /** Suggested. Null if each customer chooses the names. */
  chatModel: string | null;
  /** Null if the service has none, or each customer chooses the names. */
  embeddingModel: string | null;
  needsKey: boolean;
};

export const presets: readonly Preset[] = [
  {
    provider: "openai",
    baseUrl: "https://api.openai.com/v1",
    chatModel: "gpt-4.1-mini",
    embeddingModel: "text-embedding-3-small",
    needsKey: true,
  },
  {
    provider: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    chatModel: "claude-haiku-4-5",
    embeddingModel: null,
    needsKey: true,
  },
  {
    provider: "mistral",
    baseUrl: "https://api.mistral.ai/v1",
    chatModel: "mistral-small-latest",
    embeddingModel: "mistral-embed",
    needsKey: true,
  },
  {
    provider: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    chatModel: "gemini-2.5-flash",
    embeddingModel: "gemini-embedding-001",
    needsKey: true,
  },
  {
    provider: "openrouter",
    baseUrl: "https://openrouter.ai/api/v1",
    chatModel: "openai/gpt-4.1-mini",
    embeddingModel: null,
    needsKey: true,
  },
  // https://NAME.openai.azure.com/openai/v1, with the deployment's name as the model.
  { provider: "azure", baseUrl: null, chatModel: null, embeddingModel: null, needsKey: true },
  { provider: "custom", baseUrl: null, chatModel: null, embeddingModel: null, needsKey: false },
];

/** The address of a service that has one for all customers. */
export const presetUrl = (provider: Provider): string | null =>
  presets.find((preset) => preset.provider === provider)?.baseUrl ?? null;
