// Owns the test call of a connection before it is stored: one short real call, and the form field that its failure points to. Must not
// store anything.
import { Buffer } from "node:buffer";
import { env } from "../../_shared/env.ts";
import { type ModelRole, type Place, settingsOf } from "../../_shared/models/model-connections.ts";
import { faultOf, ModelError, type ModelFault } from "../../_shared/models/model-errors.ts";
import { takesDimensions } from "../../_shared/models/model-names.ts";
import { modelClient } from "../../_shared/models/models.ts";
import { anySize } from "../../_shared/models/vectors.ts";
import { checkAddress } from "../../_shared/outbound/outbound.ts";
import { OutboundError } from "../../_shared/outbound/outbound-error.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { type RefusalCode, refusal } from "../../_shared/requests/refusals.ts";
import { greyPng } from "../../indexing/parsers/png.ts";

/** Shorter than the timeout of the web server's calls (web/request/api.ts). */
const patienceMs = 20_000;
/** Tokens. A reasoning model uses some before its first word. */
const longestTrial = 512;
/** A grey square of 32 by 32. A model that reads no images rejects it. */
const smallPicture = `data:image/png;base64,${Buffer.from(
  greyPng({ width: 32, height: 32, grey: new Uint8Array(32 * 32).fill(200) }),
).toString("base64")}`;
/** Maximum in private.models. */
const mostDimensions = 3_584;

export type Trial = Place & { role: ModelRole; model: string };

/**
 * Calls a model once.
 * @returns the duration and, for an embedding model, its dimensions
 * @throws ApiError VALIDATION_FAILED with the invalid field
 */
export async function tryModel({ role, model, ...place }: Trial) {
  const { LOCAL_MODELS, PARLEY_OUTBOUND_ALLOW } = env();
  try {
    checkAddress(new URL(place.baseUrl), `${PARLEY_OUTBOUND_ALLOW},${place.isTeams ? "" : LOCAL_MODELS}`);
  } catch (error) {
    if (error instanceof OutboundError) throw refuse("baseUrl", "modelNotPublic");
    throw error;
  }
  const client = modelClient(
    { ...settingsOf(place, LOCAL_MODELS), OPENAI_MODEL: model, OPENAI_EMBEDDING_MODEL: model },
    { retries: 0, embedTimeoutMs: patienceMs, chatTimeoutMs: patienceMs, replyTimeoutMs: patienceMs },
  );
  const start = performance.now();
  const milliseconds = () => Math.round(performance.now() - start);
  try {
    if (role === "embedding") {
      const dimensions = takesDimensions(model) ? client.inUse.dimensions : anySize;
      const [vector] = await client.embed(["Parley"], { dimensions });
      const found = vector?.length ?? 0;
      if (found > mostDimensions) {
        throw refuse("model", "modelTooManyDimensions", { limit: String(mostDimensions) });
      }
      return { milliseconds: milliseconds(), dimensions: found };
    }
    const images = role === "vision" ? { images: [smallPicture] } : {};
    const messages = [{ role: "user" as const, content: "Reply with the word OK.", ...images }];
    for await (const _first of client.chatStream({ messages, maxTokens: longestTrial })) break;
    return { milliseconds: milliseconds(), dimensions: null };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const fault = faultOf(error);
    throw refuse(...meanings[fault], fault === "unknown" ? { model } : {});
  }
}

function refuse(path: string, code: RefusalCode, params: Record<string, string> = {}): ApiError {
  const why = refusal(code, params);
  return new ApiError("VALIDATION_FAILED", why.message, { details: [{ path, ...why }] });
}

const meanings: Record<ModelFault, [path: string, RefusalCode]> = {
  keyRefused: ["apiKey", "modelKeyRefused"],
  usedUp: ["apiKey", "modelUsedUp"],
  busy: ["apiKey", "modelBusy"],
  unknown: ["model", "modelUnknown"],
  refused: ["model", "modelRefused"],
  tooLong: ["model", "modelRefused"],
  badAnswer: ["baseUrl", "modelBadAnswer"],
  slow: ["baseUrl", "modelUnreachable"],
  unreachable: ["baseUrl", "modelUnreachable"],
};
