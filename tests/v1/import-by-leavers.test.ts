// An import whose person lost their rights while it ran: it ends with the reason, and leaves nothing in the team.
import { beforeAll, expect, test } from "vitest";
import { newMember, newPerson, owner, type Person, type Team } from "../support/api.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { furnishedArchive, importEnded, sendArchive } from "../support/team-archive.ts";
import { say } from "../support/words.ts";

let archive: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  ({ archive } = await furnishedArchive());
});

type Ending = (team: Team, importer: Person, other: Person) => Promise<unknown>;
const membership = (team: Team, { id }: Person) => `/v1/teamUsers/${team.id}/users/${id}`;
const endings: Record<string, [Ending, "importNoRights" | "importNobody"]> = {
  "left the team": [(team, importer, other) => other.delete(membership(team, importer)), "importNoRights"],
  "has a smaller role": [
    (team, importer, other) => other.put(membership(team, importer), { roleId: systemRoleIds.viewer }),
    "importNoRights",
  ],
  "is banned": [
    async (_team, { id }) => (await owner())`update public.users set banned_at = now() where id = ${id}`,
    "importNoRights",
  ],
  "has no account": [
    async (_team, importer) => await importer.delete(`/v1/users/${importer.id}`),
    "importNobody",
  ],
};

test.each(Object.keys(endings))("who %s imports nothing, and the others are told why", async (how) => {
  const [end, code] = endings[how] ?? [];
  const sql = await owner();
  const importer = await newPerson();
  const { body } = await sendArchive(importer, archive);
  await sql`update public.tasks set status = 'queued', lease_owner = null, lease_until = null, run_after = now() + interval '1 hour'
             where id = ${body.taskId}`;
  const team = {
    id: body.teamId,
    codename: body.codename,
    path: `/v1/teams/${body.teamId}`,
    owner: importer,
  };
  const other = await newMember(team, "owner");
  await end?.(team, importer, other);
  await sql`update public.tasks set run_after = now() where id = ${body.taskId}`;
  const task = await importEnded(other, body);
  expect(task).toMatchObject({
    status: "failed",
    error: say(`problems:sentences.${code ?? "importNobody"}`),
  });
  for (const list of ["agents", "knowledges", "sources", "files", "apps"])
    expect((await other.get(`${team.path}/${list}`)).body).toMatchObject({ data: [] });
  const readRest = async () =>
    await sql`
    select 1 from private.import_rows where team_id = ${team.id}
    union all select 1 from storage.objects where name like ${`teams/${team.id}/%`}`;
  await expect.poll(readRest, { timeout: 60_000 }).toEqual([]);
});
