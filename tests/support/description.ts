// Owns the API's OpenAPI description, as the running stack serves it.
import type { Answer, Description, Operation } from "../../edge-functions/v1/openapi.ts";
import { anyone } from "./api.ts";

export type { Description, Operation };

export async function readDescription(): Promise<Description> {
  const { status, text } = await anyone.get("/v1/openapi.json");
  if (status !== 200) throw new Error(`There is no description: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

export function operationsOf(
  description: Description,
): { method: string; path: string; operation: Operation }[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** A response of a call, wherever the description has it. */
export function answerOf(
  { components }: Description,
  response: Operation["responses"][string] | undefined,
): Answer | undefined {
  return response && "$ref" in response
    ? components.responses[response.$ref.split("/").at(-1) ?? ""]
    : response;
}
