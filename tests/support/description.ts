// Owns the API's OpenAPI description, as the running stack serves it.
import type { Description, Operation } from "../../edge-functions/v1/openapi.ts";
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
