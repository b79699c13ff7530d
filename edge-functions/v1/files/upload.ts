// Owns receiving a file: a multipart body, parsed as it streams, counted and hashed on its way to storage.
// Must not hold a file in memory, nor decide who may upload.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Busboy } from "@fastify/busboy";
import { z } from "zod";
import { ApiError, refuseField, tooLarge } from "../../_shared/requests/errors.ts";
import { invalidFields } from "../../_shared/requests/invalid-fields.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import {
  discardObjects,
  getObject,
  maxFileBytes,
  maxUploadBytes,
  type ObjectKey,
  putObject,
  removeObjects,
} from "../../_shared/storage/storage.ts";
import { inTime, type Upload } from "../bodies.ts";
import { contentTypeOf } from "./content-types.ts";
import { givenFileName } from "./schema.ts";

export type Arrived = { name: string; contentType: string; size: number; sha256: string };

/** Consumes the one file of a body and returns its properties. */
type Taker = (stream: AsyncIterable<Uint8Array>, givenName: string, declaredType: string) => Promise<Arrived>;

/**
 * Stores the one field `file` of a multipart body under `key`. If anything fails, the object is deleted.
 * @throws ApiError VALIDATION_FAILED for a body without a file, an empty file or other fields, and for one that stops arriving;
 *   PAYLOAD_TOO_LARGE
 */
export async function receiveUpload(request: Request, key: ObjectKey): Promise<Arrived> {
  try {
    return await readUpload(request, (stream, name, type) => store(stream, name, type, key));
  } catch (error) {
    await discardObjects([key]);
    throw error;
  }
}

/** Measures an upload without storing it. @throws ApiError as receiveUpload() */
export function measureUpload(request: Request): Promise<Arrived> {
  return readUpload(request, async (stream, givenName, declaredType) => {
    const name = checkedName(givenName);
    const meter = new Meter(name);
    for await (const chunk of meter.watch(stream)) void chunk;
    return meter.result(contentTypeOf(name, declaredType));
  });
}

/** Declared by upload routes. */
export const fileUpload: Upload = {
  type: "multipart/form-data",
  otherwise: "Send the file as multipart/form-data.",
  maxBytes: maxUploadBytes,
  status: 201,
  measure: async (request) => {
    const { name, size, sha256 } = await measureUpload(request);
    return [name, size, sha256];
  },
  measured: z
    .object({ name: z.string(), size: z.number(), sha256: z.string() })
    .transform(({ name, size, sha256 }) => [name, size, sha256]),
};

const oneFile = "Send one file in the field “file”.";
const fileAlone = "Send the file alone, in the field “file”.";

async function readUpload(request: Request, take: Taker): Promise<Arrived> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!request.body || !/boundary=[^;\s]/i.test(type)) throw invalid(oneFile);
  const form = new Busboy({
    headers: { "content-type": type },
    preservePath: true,
    limits: { files: 1, fields: 0, parts: 20 },
  });
  let part: Readable | undefined;
  let taken: Promise<Arrived> | undefined;
  let strange: ApiError | undefined;
  form.on("file", (field, stream, givenName, _encoding, declaredType) => {
    part = stream;
    // An error event without a listener ends the process; the promise below reports the error.
    stream.on("error", () => {});
    if (field !== "file") strange = invalid(refusal("unknown").message, field);
    taken = take(stream, standardName(givenName), declaredType);
    // A rejected file stops the parser; the reason is awaited below.
    taken.catch((error: Error) => form.destroy(error));
  });
  form.on("filesLimit", () => {
    strange ??= invalid("Send one file at a time.");
  });
  form.on("fieldsLimit", () => {
    strange ??= invalid(fileAlone);
  });
  // A body has room for half a million parts: reading the rest of them would hold up everybody else.
  form.on("partsLimit", () => form.destroy(strange ?? invalid(fileAlone)));
  try {
    // Node's and the DOM's streams are the same at run time; only their types differ.
    await pipeline(Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>), withinLimits, form);
    if (!taken) throw strange ?? invalid(oneFile);
    const arrived = await taken;
    if (strange) throw strange;
    return arrived;
  } catch (error) {
    part?.destroy(error instanceof Error ? error : undefined);
    const refusal = await taken?.then(
      () => undefined,
      (problem: unknown) => problem,
    );
    const reason = error instanceof ApiError ? error : (refusal ?? error);
    if (reason instanceof ApiError) throw reason;
    throw refuseField("file", "uploadCut", { cause: reason });
  }
}

/**
 * Measures an object that was uploaded through a signed URL, and deletes an invalid one.
 * @throws ApiError NOT_FOUND when there is none, VALIDATION_FAILED when it is empty, PAYLOAD_TOO_LARGE
 */
export async function inspectObject(key: ObjectKey, name: string): Promise<Arrived> {
  const { body, contentType } = await getObject(key);
  const meter = new Meter(name);
  try {
    for await (const chunk of meter.watch(body)) void chunk;
    return meter.result(contentTypeOf(name, contentType));
  } catch (error) {
    if (meter.refusal) await removeObjects([key]);
    throw meter.refusal ?? error;
  }
}

/** The meter counts only the file. This bounds the size and the pace of the rest of the body. */
async function* withinLimits(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let size = 0;
  for (;;) {
    const next = await inTime(() => iterator.next());
    if (next.done) return;
    size += next.value.length;
    if (size > maxUploadBytes) throw tooLarge(maxUploadBytes);
    yield next.value;
  }
}

async function store(
  stream: AsyncIterable<Uint8Array>,
  givenName: string,
  declaredType: string,
  key: ObjectKey,
): Promise<Arrived> {
  const name = checkedName(givenName);
  const contentType = contentTypeOf(name, declaredType);
  const meter = new Meter(name);
  const chunks = meter.watch(stream);
  try {
    const first = await chunks.next();
    if (first.done) return meter.result(contentType);
    await putObject(key, streamOf(first.value, chunks), contentType);
    return meter.result(contentType);
  } catch (error) {
    // fetch wraps the error of its body.
    throw meter.refusal ?? error;
  }
}

function streamOf(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const next = await rest.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await rest.return(undefined);
    },
  });
}

/** Counts and hashes bytes. Rejects a file that is too large or, at the end, empty. */
class Meter {
  refusal: ApiError | undefined;
  private size = 0;
  private readonly hash = createHash("sha256");
  constructor(private readonly name: string) {}

  async *watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.size += chunk.length;
      if (this.size > maxFileBytes) throw this.refuse("PAYLOAD_TOO_LARGE", "fileTooLarge");
      this.hash.update(chunk);
      yield chunk;
    }
    if (this.size === 0) throw this.refuse("VALIDATION_FAILED", "fileEmpty");
  }

  result(contentType: string): Arrived {
    return { name: this.name, contentType, size: this.size, sha256: this.hash.digest("hex") };
  }

  private refuse(
    code: "PAYLOAD_TOO_LARGE" | "VALIDATION_FAILED",
    why: "fileTooLarge" | "fileEmpty",
  ): ApiError {
    const refused = refusal(why, { name: this.name, limit: String(maxFileBytes / 2 ** 20) });
    this.refusal = new ApiError(code, refused, { details: [{ path: "file", ...refused }] });
    return this.refusal;
  }
}

function checkedName(givenName: string): string {
  const name = givenFileName.safeParse(givenName);
  if (name.success) return name.data;
  const [issue] = invalidFields(name.error.issues, givenName);
  throw refuseField("file", issue?.code === "tooLong" ? "fileNameLong" : "fileNameEmpty");
}

/** Browsers escape these three characters and no others (HTML's multipart/form-data encoding algorithm). */
function standardName(name: string | undefined): string {
  const escapes: Record<string, string> = { "%22": '"', "%0D": "\r", "%0A": "\n" };
  return (name ?? "").replace(/%(22|0D|0A)/g, (written) => escapes[written] ?? written);
}

function invalid(message: string, path = "file"): ApiError {
  return new ApiError("VALIDATION_FAILED", message, { details: [{ path, message }] });
}
