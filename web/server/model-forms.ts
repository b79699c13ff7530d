// Reads the model forms, which a team and the installation share.
import { formSecret, formText } from "./form-text.ts";

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

/** A number from a field that may be empty; null when it is. */
export function amountIn(form: FormData, name: string): number | null {
  const typed = formText(form, name);
  return typed === "" ? null : Number(typed);
}

/** The request body of a model connection. */
export function connectionIn(form: FormData) {
  const baseUrl = formText(form, "baseUrl");
  const apiKey = formSecret(form, "apiKey").trim();
  return {
    provider: providers.find((provider) => provider === formText(form, "provider")) ?? "custom",
    model: formText(form, "model"),
    ...(baseUrl ? { baseUrl } : {}),
    ...(apiKey ? { apiKey } : {}),
    promptPrice: amountIn(form, "promptPrice"),
    completionPrice: amountIn(form, "completionPrice"),
  };
}
