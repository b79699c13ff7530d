// One file with an address that is valid for a few minutes, its versions, and the beginning of its extracted text.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";
import { beginningOf, type DrawnText, drawnText } from "#web/request/document-text.ts";

export type FileVersions = AnswerOf<"GET", "/v1/teams/{teamId}/files/{id}/versions">["data"];

export interface FileData {
  file: AnswerOf<"GET", "/v1/teams/{teamId}/files/{id}">;
  versions: FileVersions;
  /** Null while no text is extracted. */
  text: (DrawnText & { more: boolean }) | null;
  /** What went wrong when the file was read. Null while it is not read. */
  reading: { error: string | null; note: string | null; warnings: string[] } | null;
}

const PREVIEW_CHARACTERS = 8000;
const MOST_VERSIONS = 20;

export async function data({ request, routeParams }: DataContext): Promise<FileData> {
  const teamId = teamRef(request);
  const place = { teamId, id: routeParams.id ?? "" };
  const [file, { data: versions }] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/files/{id}", place),
    request.api.get("/v1/teams/{teamId}/files/{id}/versions", { ...place, perPage: MOST_VERSIONS }),
  ]);
  const read = file.usedIn.find(({ documentId }) => documentId !== null);
  if (!read?.documentId) return { file, versions, text: null, reading: null };
  const document = await request.api.get("/v1/teams/{teamId}/sources/{sourceId}/documents/{id}", {
    teamId,
    sourceId: read.sourceId,
    id: read.documentId,
  });
  const { error, note, warnings } = document;
  const reading = { error, note, warnings };
  if (!document.content) return { file, versions, text: null, reading };
  const more = document.content.length > PREVIEW_CHARACTERS;
  return { file, versions, text: { ...beginningOf(drawnText(document), PREVIEW_CHARACTERS), more }, reading };
}
