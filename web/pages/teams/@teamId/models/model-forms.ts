// Reads the model forms, which a team and the installation share.
import { formOptionalNumber, formSecret, formText } from "#web/request/form-text.ts";

const roles = ["chat", "fallback", "embedding", "vision"] as const;
const providers = [
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

/** The role that a form names; the first role when it names an unknown one. */
export const roleIn = (form: FormData) => roles.find((role) => role === formText(form, "role")) ?? "chat";

/** The request body of a model connection. */
export function connectionIn(form: FormData) {
  const baseUrl = formText(form, "baseUrl");
  const apiKey = formSecret(form, "apiKey").trim();
  return {
    provider: providers.find((provider) => provider === formText(form, "provider")) ?? "custom",
    model: formText(form, "model"),
    ...(baseUrl ? { baseUrl } : {}),
    ...(apiKey ? { apiKey } : {}),
    promptPrice: formOptionalNumber(form, "promptPrice"),
    completionPrice: formOptionalNumber(form, "completionPrice"),
  };
}
