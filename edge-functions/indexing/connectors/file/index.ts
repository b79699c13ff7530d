// Lists files uploaded to the team: the source's config has their ids, storage has their bytes. Replacing a file changes its
// revision.
import { z } from "zod";
import { ApiError } from "../../../_shared/requests/errors.ts";
import { getObject, maxFileBytes, parseObjectKey } from "../../../_shared/storage/storage.ts";
import { ParseError } from "../../parsers/document.ts";
import { type Connector, type Fetched, ItemGone, type ListPage, StorageUnavailable } from "../connector.ts";
import { declaration } from "./declaration.ts";

export const file: Connector = {
  declaration,

  async list({ source, read }): Promise<ListPage> {
    const ids = fileIds(source.config);
    const rows = await read(
      (tx) => tx<{ id: string; name: string; sha256: string; changedAt: string }[]>`
        select f.id, f.name, f.sha256, coalesce(v.created_at, f.created_at) as changed_at from public.files f
          left join public.file_versions v on v.team_id = f.team_id and v.file_id = f.id and v.number = f.version
         where f.team_id = ${source.teamId} and f.id = any(${ids}::uuid[]) order by f.id`,
    );
    const items = rows.map(({ id, name, sha256: revision, changedAt }) => ({
      externalId: id,
      title: name,
      revision,
      changedAt,
    }));
    return { items };
  },

  async fetch({ source, read }, externalId): Promise<Fetched> {
    if (!fileIds(source.config).includes(externalId)) throw new ItemGone("the source does not list the file");
    for (let missing: string | undefined; ; ) {
      const [row] = await read(
        (tx) => tx<{ name: string; path: string; contentType: string; sha256: string }[]>`
          select name, path, content_type, sha256 from public.files
           where team_id = ${source.teamId} and id = ${externalId}`,
      );
      if (!row) throw new ItemGone("the file was deleted");
      const { name, path, contentType, sha256: revision } = row;
      if (path === missing) throw new ItemGone("the file's bytes are gone");
      const bytes = await download(source.teamId, path, name);
      if (bytes) return { bytes, name, contentType, revision };
      // The file was deleted and restored since the lookup, so its bytes are at another path.
      missing = path;
    }
  },
};

const ids = z.array(z.unknown()).catch([]);

/** The valid ids: not every way to store settings validates them. */
function fileIds(config: Record<string, unknown>): string[] {
  return ids.parse(config.fileIds).flatMap((id) => z.uuid().safeParse(id).data ?? []);
}

/** @returns null when the bytes do not exist */
async function download(teamId: string, path: string, name: string): Promise<Uint8Array | null> {
  try {
    const { body } = await getObject(parseObjectKey(path, teamId));
    return await gather(body, name);
  } catch (error) {
    if (error instanceof ParseError) throw error;
    if (error instanceof ApiError && error.code === "NOT_FOUND") return null;
    throw new StorageUnavailable(error);
  }
}

async function gather(body: ReadableStream<Uint8Array>, name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > maxFileBytes)
      throw new ParseError("too_large", name, { limit: `${maxFileBytes / 2 ** 20} MiB` });
    parts.push(part);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
