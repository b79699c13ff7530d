// One file with an address that shows it for a few minutes, its versions, and the beginning of the text that was read of it.

import type { AnswerOf } from "#web/browser/api-calls.ts";
import type { DataContext } from "#web/renderer/page-definition.ts";
import { teamRef } from "#web/server/current-team.ts";

export type FileVersions = AnswerOf<"GET", "/v1/teams/{teamId}/files/{id}/versions">["data"];

export interface FileData {
  file: AnswerOf<"GET", "/v1/teams/{teamId}/files/{id}">;
  versions: FileVersions;
  /** Null while nothing of it was read as text. */
  text: { content: string; more: boolean } | null;
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
  if (!read?.documentId) return { file, versions, text: null };
  const { content } = await request.api.get("/v1/teams/{teamId}/sources/{sourceId}/documents/{id}", {
    teamId,
    sourceId: read.sourceId,
    id: read.documentId,
  });
  if (!content) return { file, versions, text: null };
  return {
    file,
    versions,
    text: { content: content.slice(0, PREVIEW_CHARACTERS), more: content.length > PREVIEW_CHARACTERS },
  };
}
