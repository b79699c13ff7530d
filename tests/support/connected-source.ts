// Owns a source of a service for tests of the worker: connected as a team's owner would, synced through the real queue, and read back.
import type { Row } from "postgres";
import { asService, type Transaction } from "../../edge-functions/_shared/database/db.ts";
import { storeCredentials } from "../../edge-functions/v1/sources/credentials.ts";
import type { DocumentRow, IndexingStand, Task } from "./indexing-stand.ts";

type Config = Parameters<IndexingStand["sql"]["json"]>[0];

export interface ConnectedSource {
  id: string;
  /** The knowledge base that has the source. */
  knowledge: string;
  /** Replaces the credentials. */
  logIn(credentials: Record<string, string>): Promise<void>;
  /** Changes some of the settings. */
  configure(settings: Config): Promise<unknown>;
  /** @returns the id of a task for a full sync */
  queue(): Promise<string>;
  /**
   * @param options.whole a full sync, as a person requests it
   * @param options.acceptsEmpty the person confirmed that the service may show nothing at all
   * @param options.attempts how often the task may be taken up: each wait between two ends at once
   */
  sync(options?: { whole?: boolean; acceptsEmpty?: boolean; attempts?: number }): Promise<Task>;
  /** The source's own row. */
  row(): Promise<Row | undefined>;
  documents(): Promise<DocumentRow[]>;
  document(title: string): Promise<DocumentRow | undefined>;
  titles(): Promise<string[]>;
  contentOf(title: string): Promise<string | null | undefined>;
}

/** As the API does for a source with the settings that it has. */
async function replaceCredentials(tx: Transaction, id: string, given: Record<string, string>): Promise<void> {
  const [row] = await tx<
    { config: Record<string, unknown> }[]
  >`select config from public.sources where id = ${id}`;
  await storeCredentials(tx, { id, config: row?.config ?? {} }, given);
}

/** Adds a source of the fake Jira's first project, logged in. */
export const connectJira = (
  stand: IndexingStand,
  { url, email, apiToken }: { url: string; email: string; apiToken: string },
): Promise<ConnectedSource> =>
  connectSource(stand, "jira", { site: url, projects: ["OPS"] }, { email, apiToken });

/** Adds a source to the stand's team, in a knowledge base of its own. Without credentials it is not logged in. */
export async function connectSource(
  stand: IndexingStand,
  type: string,
  config: Config,
  credentials?: Record<string, string>,
): Promise<ConnectedSource> {
  const { sql, team } = stand;
  const [row] = await sql<{ id: string }[]>`
    insert into public.sources (team_id, type, name, config) values (${team}, ${type}, ${type}, ${sql.json(config)}) returning id`;
  const id = row?.id ?? "";
  const enqueue = async () => {
    const [task] = await sql<{ id: string }[]>`
      select private.enqueue_task(${team}, 'sync', ${`sync:source:${id}`}, ${id}) as id`;
    return task?.id ?? "";
  };
  const forget = () => sql`update public.sources set sync_cursor = null where id = ${id}`;
  const logIn = (given: Record<string, string>) => asService((tx) => replaceCredentials(tx, id, given));
  if (credentials) await logIn(credentials);
  const documents = () => stand.documents(id);
  const document = async (title: string) => (await documents()).find((one) => one.title === title);
  return {
    id,
    knowledge: await stand.addKnowledge([id]),
    logIn,
    configure: (settings) =>
      sql`update public.sources set config = config || ${sql.json(settings)} where id = ${id}`,
    queue: async () => {
      await forget();
      return await enqueue();
    },
    sync: async ({ whole = false, acceptsEmpty = false, attempts = 1 } = {}) => {
      if (whole) await forget();
      const task = await enqueue();
      if (acceptsEmpty)
        await sql`insert into private.listings (task_id, source_id, team_id, accepts_empty) values (${task}, ${id}, ${team}, true)`;
      await stand.settle();
      for (let attempt = 1; attempt < attempts; attempt++) {
        await stand.passTime();
        await stand.settle();
      }
      return await stand.task(task);
    },
    row: async () => (await sql`select * from public.sources where id = ${id}`)[0],
    documents,
    document,
    titles: async () => (await documents()).map(({ title }) => title),
    contentOf: async (title) => (await document(title))?.content,
  };
}
