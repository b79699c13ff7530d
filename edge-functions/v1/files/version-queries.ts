// Owns the SQL that reads file versions. Row-level security decides which rows are visible.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import type { ObjectKey } from "../../_shared/storage/storage.ts";
import { person } from "../agent-versions/queries.ts";
import type { PageQuery } from "../router.ts";
import { numberedPage } from "../sql.ts";
import type { FileVersion } from "./schema.ts";

/** Newest first. */
export async function listFileVersions(
  tx: Transaction,
  { teamId, fileId }: { teamId: TeamId; fileId: string },
  page: PageQuery,
) {
  return await numberedPage<FileVersion>(
    tx,
    {
      columns: tx`
        v.id, v.team_id, v.file_id, v.number, v.name, v.type, v.content_type, v.size, v.sha256, v.restored_from,
        v.number = (select f.version from public.files f where f.team_id = v.team_id and f.id = v.file_id) as is_current,
        v.created_at, v.updated_at, ${person(tx, "v.created_by")} as author`,
      from: tx`public.file_versions v where v.team_id = ${teamId} and v.file_id = ${fileId}`,
      order: tx`v.number desc`,
    },
    page,
  );
}

/** True when an object is a version of one of a team's files that the caller can see. */
export async function isVersion(tx: Transaction, teamId: TeamId, key: ObjectKey): Promise<boolean> {
  const rows = await tx`
    select 1 from public.file_versions v where v.team_id = ${teamId} and v.path = ${key} limit 1`;
  return rows.length > 0;
}
