// A source and its documents, in the order in which they came.
import type { PageContextServer } from "vike/types";
import type { CursorList, Source } from "../../../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../../../server/current-team.ts";

export interface DocumentsData extends CursorList<DocumentRow> {
  source: Source;
}

export interface DocumentRow {
  id: string;
  title: string;
  status: string;
  chunksCount: number;
  error: string | null;
  updatedAt: string;
}

export async function data({ request, routeParams }: PageContextServer): Promise<DocumentsData> {
  const base = `/v1/teams/${currentTeam(request).id}/sources/${encodeURIComponent(routeParams.sourceId ?? "")}`;
  const [source, documents] = await Promise.all([
    request.api.get<Source>(base),
    request.api.get<CursorList<DocumentRow>>(`${base}/documents`, {
      perPage: 50,
      lastKey: request.url.searchParams.get("lastKey") ?? undefined,
    }),
  ]);
  return { ...documents, source };
}
