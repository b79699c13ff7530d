// Owns discovering models on the installation's own machines (LOCAL_MODELS): Ollama and LM Studio. For platform admins only. Leaves out
// an address that does not answer. Must not change anything.
import type { LocalModels } from "./schema.ts";

type Found = LocalModels["data"][number];

const patienceMs = 1_500;
/** Matches names of embedding models, because neither server marks them as such. */
const embeds = /embed|bge-|e5-|gte-|minilm/i;

/** The default ports of Ollama and LM Studio. */
export const defaultLocalModels = "127.0.0.1:11434,127.0.0.1:1234";

/** @param places host:port, comma-separated */
export async function findLocalModels(places: string): Promise<Found[]> {
  const looked = await Promise.all(
    places
      .split(",")
      .map((place) => place.trim())
      .filter((place) => place !== "")
      .map(lookAt),
  );
  return looked.flatMap((found) => found ?? []);
}

async function lookAt(place: string): Promise<Found | undefined> {
  const ollama = names(await read(`http://${place}/api/tags`), "models", "name");
  if (ollama) return describeModels("ollama", place, ollama);
  const lmStudio = names(await read(`http://${place}/v1/models`), "data", "id");
  return lmStudio && describeModels("lmstudio", place, lmStudio);
}

function describeModels(provider: Found["provider"], place: string, models: string[]): Found {
  return {
    provider,
    baseUrl: `http://${place}/v1`,
    chatModels: models.filter((name) => !embeds.test(name)),
    embeddingModels: models.filter((name) => embeds.test(name)),
  };
}

async function read(url: string): Promise<unknown> {
  try {
    const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(patienceMs) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** The names in a list of objects; undefined if it is not such a list. */
function names(answer: unknown, list: string, name: string): string[] | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const things: unknown = Reflect.get(answer, list);
  if (!Array.isArray(things)) return undefined;
  return things
    .map((thing: unknown) => (typeof thing === "object" && thing !== null ? Reflect.get(thing, name) : null))
    .filter((one): one is string => typeof one === "string" && one.length <= 200)
    .slice(0, 200);
}
