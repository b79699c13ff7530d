// One file with an address that shows it for a few minutes, and the beginning of the text that was read of it.

import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import type { DataContext } from "../../../../../renderer/page-definition.ts";
import { teamRef } from "../../../../../server/current-team.ts";

export interface FileData {
  file: AnswerOf<"GET", "/v1/teams/{teamId}/files/{id}">;
  /** Null while nothing of it was read as text. */
  text: { content: string; more: boolean } | null;
}

const PREVIEW_CHARACTERS = 8000;

export async function data({ request, routeParams }: DataContext): Promise<FileData> {
  const teamId = teamRef(request);
  const file = await request.api.get("/v1/teams/{teamId}/files/{id}", { teamId, id: routeParams.id ?? "" });
  const read = file.usedIn.find(({ documentId }) => documentId !== null);
  if (!read?.documentId) return { file, text: null };
  const { content } = await request.api.get("/v1/teams/{teamId}/sources/{sourceId}/documents/{id}", {
    teamId,
    sourceId: read.sourceId,
    id: read.documentId,
  });
  if (!content) return { file, text: null };
  return {
    file,
    text: { content: content.slice(0, PREVIEW_CHARACTERS), more: content.length > PREVIEW_CHARACTERS },
  };
}
