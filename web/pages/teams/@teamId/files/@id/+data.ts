// One file with an address that shows it for a few minutes.
import type { PageContextServer } from "vike/types";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface FileData {
  id: string;
  name: string;
  type: string;
  contentType: string;
  size: number;
  sha256: string;
  url: string;
  createdAt: string;
}

export async function data({ request, routeParams }: PageContextServer): Promise<FileData> {
  const id = encodeURIComponent(routeParams.id ?? "");
  return await request.api.get<FileData>(`/v1/teams/${currentTeam(request).id}/files/${id}`);
}
