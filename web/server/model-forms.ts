// What the forms of models send, the same for a team and for the installation.
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

/** The role of a form; the first where it names none that there is. */
export const roleIn = (form: FormData) => roles.find((role) => role === formText(form, "role")) ?? "chat";

/** A number that may be left empty. */
export function amountIn(form: FormData, name: string): number | null {
  const typed = formText(form, name);
  return typed === "" ? null : Number(typed);
}

/** The body of a connection. */
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
