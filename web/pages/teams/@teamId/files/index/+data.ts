// A page of the team's files.
import type { PageContextServer } from "vike/types";
import type { List } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface FileRow {
  id: string;
  name: string;
  type: string;
  contentType: string;
  size: number;
  createdAt: string;
}

export type FilesData = List<FileRow>;

export async function data({ request }: PageContextServer): Promise<FilesData> {
  const { searchParams } = request.url;
  return await request.api.get<FilesData>(`/v1/teams/${currentTeam(request).id}/files`, {
    type: searchParams.get("type") ?? undefined,
    page: searchParams.get("page") ?? undefined,
  });
}
