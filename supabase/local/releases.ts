// Owns the list of released migrations, supabase/releases.json. They are frozen, because existing databases have run them. Does not run
// migrations.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Fatal } from "./fatal.ts";
import type { Migration } from "./migrate.ts";
import { projectDir } from "./settings.ts";

const Releases = z.record(
  z.string().regex(/^\d{14}$/),
  z.object({ name: z.string(), release: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
);

/** Maps a migration's version to its file's checksum and its release. */
export type Releases = z.infer<typeof Releases>;

export async function readReleases(): Promise<Releases> {
  return Releases.parse(JSON.parse(await readFile(join(projectDir, "supabase/releases.json"), "utf8")));
}

/** @throws Fatal when a released migration is missing or changed, or a new one would run before a released one. */
export function requireReleased(migrations: Migration[], releases: Releases): void {
  for (const [version, { name, release, sha256 }] of Object.entries(releases)) {
    const file = `supabase/migrations/${version}_${name}.sql`;
    const found = migrations.find((one) => one.version === version && one.name === name);
    if (!found) {
      throw new Fatal(
        `The migration ${file} of release ${release} is missing: put it back (git checkout ${file}).`,
      );
    }
    if (createHash("sha256").update(found.sql).digest("hex") !== sha256) {
      throw new Fatal(
        `The migration ${file} is not as release ${release} brought it: put it back (git checkout ${file}) and write the change as a new migration (npm run migration -- NAME).`,
      );
    }
  }
  const last = Object.keys(releases).sort().at(-1) ?? "";
  const early = migrations.find(({ version }) => version < last && !(version in releases));
  if (early) {
    throw new Fatal(
      `The migration ${early.version}_${early.name}.sql is numbered before ${last}, which was released: give it a later number.`,
    );
  }
}
