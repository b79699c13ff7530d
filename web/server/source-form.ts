// Reads the fields of a source's settings, which components/sources/SourceFields.tsx shows, into what the API takes.
import { formText } from "./form-text.ts";

type Settings = Record<string, unknown>;

/** @param type of the source */
export function settingsIn(type: string, form: FormData): Settings {
  const text = (name: string) => formText(form, `config.${name}`);
  const chosen = (name: string) => form.getAll(`config.${name}`).filter((one) => typeof one === "string");
  switch (type) {
    case "jira":
      return {
        site: text("site"),
        projects: text("projects")
          .split(/[\s,;]+/)
          .filter(Boolean),
        withoutComments: form.get("config.withoutComments") !== null,
      };
    case "shopify":
      return { shop: text("shop"), content: chosen("content") };
    case "hubspot": {
      const apiUrl = text("apiUrl");
      return { objects: chosen("objects"), ...(apiUrl ? { apiUrl } : {}) };
    }
    case "agentChat":
      return { agentId: text("agentId") };
    default:
      return {};
  }
}

const secrets: Record<string, string[]> = {
  jira: ["email", "apiToken"],
  shopify: ["accessToken"],
  hubspot: ["accessToken"],
};

/** Whether a type of source needs credentials. */
export const logsIn = (type: string): boolean => Object.hasOwn(secrets, type);

/** What was entered to log in with; nothing where every field was left empty. */
export function credentialsIn(type: string, form: FormData): { credentials?: Record<string, string> } {
  const entered = (secrets[type] ?? []).map((name) => [name, formText(form, `credentials.${name}`)] as const);
  const given = entered.filter(([, value]) => value !== "");
  return given.length > 0 ? { credentials: Object.fromEntries(given) } : {};
}

/** Whether the form was sent by its button that only tests. */
export const asksForTest = (form: FormData): boolean => formText(form, "intent") === "test";
