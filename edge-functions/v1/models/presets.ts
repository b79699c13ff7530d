// Owns which services can be connected by name, at their addresses that speak OpenAI's protocol, and the models that are proposed
// for each. Pure.

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
  /** Null where it is each customer's own. */
  baseUrl: string | null;
  /** Proposed; null where names are each customer's own. */
  chatModel: string | null;
  /** Null where it has none, or names are each customer's own. */
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
  // https://NAME.openai.azure.com/openai/v1, with a deployment's name for the model.
  { provider: "azure", baseUrl: null, chatModel: null, embeddingModel: null, needsKey: true },
  { provider: "custom", baseUrl: null, chatModel: null, embeddingModel: null, needsKey: false },
];

/** The address of a service that has one for everybody. */
export const presetUrl = (provider: Provider): string | null =>
  presets.find((preset) => preset.provider === provider)?.baseUrl ?? null;
