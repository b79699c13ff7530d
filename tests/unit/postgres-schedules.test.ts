// Twenty clients at once, each with a random program of transactions, pipelines, prepared statements, COPY and abrupt ends: each sees only
// its own answers, and at the end no lock, half-done work or leftover remains.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flush, message, sync } from "../../supabase/local/postgres/protocol.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import {
  bind,
  describe as describeMessage,
  errorIn,
  execute,
  parse,
  RawClient,
  rows,
  types,
} from "../support/postgres-raw-client.ts";
import fc from "../support/property-cases.ts";

const clientsAtOnce = 20;
let database: TestPostgres;

beforeAll(async () => {
  database = await startTestPostgres({ bare: true, limits: { connections: 200 } });
  const sql = database.connect("postgres", { max: 1 });
  await sql`create table ledger (run text, client int, entry int, primary key (run, client, entry))`;
  await sql`create table notes (owner text not null, body text not null)`;
  await sql`alter table notes enable row level security`;
  await sql`create policy "owners see their notes" on notes to authenticated
    using (owner = current_setting('request.jwt.claims', true)::jsonb ->> 'sub')
    with check (owner = current_setting('request.jwt.claims', true)::jsonb ->> 'sub')`;
  await sql`grant select, insert on notes to authenticated, authenticator`;
  await sql`grant select, insert on ledger to authenticated, authenticator`;
});
afterAll(() => database?.stop());

/** One step of a client, and how it may end. */
const step = fc.constantFrom(
  "query",
  "commit",
  "roll back",
  "fail",
  "pipeline",
  "named",
  "unnamed",
  "flush",
  "copy in",
  "copy out",
  "row security",
  "portal",
);
const ending = fc.constantFrom(
  "politely",
  "abruptly",
  "in a transaction",
  "in a copy",
  "in a pipeline",
  "mid-frame",
);
const program = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 8 }), ending });
type Program = { steps: string[]; ending: string };

/** One running client. Whatever it reads is compared with what only it can have written. */
class Worker {
  readonly #client: RawClient;
  readonly #run: string;
  readonly #id: number;
  /** Committed entries, and entries that must not be. */
  readonly committed: number[] = [];
  #entry = 0;
  #prepared = false;

  constructor(client: RawClient, run: string, id: number) {
    this.#client = client;
    this.#run = run;
    this.#id = id;
  }

  async work({ steps, ending: end }: Program): Promise<void> {
    for (const each of steps) await this.#step(each);
    await this.#end(end);
  }

  get #mark(): string {
    return `${this.#run}/${this.#id}/${this.#entry}`;
  }

  #insert(): string {
    this.#entry += 1;
    return `insert into ledger values ('${this.#run}', ${this.#id}, ${this.#entry})`;
  }

  async #own(sql: string, expected: unknown): Promise<void> {
    expect(rows(await this.#client.query(sql))).toEqual(expected);
  }

  async #step(name: string): Promise<void> {
    const client = this.#client;
    this.#entry += 1;
    switch (name) {
      case "query":
        return this.#own(`select '${this.#mark}'`, [[this.#mark]]);
      case "commit": {
        await client.query("begin");
        await client.query(this.#insert());
        const entry = this.#entry;
        await this.#own(`select max(entry) from ledger where run = '${this.#run}' and client = ${this.#id}`, [
          [String(entry)],
        ]);
        expect(errorIn(await client.query("commit"))).toBeNull();
        this.committed.push(entry);
        return;
      }
      case "roll back":
        await client.query("begin");
        await client.query(this.#insert());
        await client.query("rollback");
        return;
      case "fail": {
        await client.query(`begin; ${this.#insert()}`);
        expect(errorIn(await client.query("select no_such_column"))?.C).toBe("42703");
        expect(errorIn(await client.query("select 1"))?.C).toBe("25P02");
        await client.query("commit");
        return;
      }
      case "pipeline": {
        const marks = [1, 2, 3, 4].map((part) => `${this.#mark}:${part}`);
        const messages = marks.map((mark) => [parse("", "select $1"), bind("", [mark]), execute(), sync]);
        client.send(...messages.flat());
        for (const mark of marks) expect(rows(await client.until("Z"))).toEqual([[mark]]);
        return;
      }
      case "named": {
        const name = "the same name for all";
        if (!this.#prepared) client.send(parse(name, `select '${this.#run}/${this.#id}/' || $1`));
        this.#prepared = true;
        client.send(bind(name, [String(this.#entry)]), execute(), sync);
        expect(rows(await client.until("Z"))).toEqual([[this.#mark]]);
        return;
      }
      case "unnamed":
        client.send(parse("", `select '${this.#mark}', $1`), sync);
        await client.until("Z");
        client.send(bind("", ["x"]), describeMessage("P", ""), execute(), sync);
        expect(rows(await client.until("Z"))).toEqual([[this.#mark, "x"]]);
        return;
      case "flush":
        client.send(parse("", `select '${this.#mark}'`), flush);
        await client.until("1");
        client.send(bind(""), flush);
        await client.until("2");
        client.send(execute(), flush);
        expect(rows(await client.until("C"))).toEqual([[this.#mark]]);
        client.send(sync);
        expect(types(await client.until("Z"))).toBe("Z");
        return;
      case "copy in": {
        const entries = [this.#entry + 1, this.#entry + 2];
        client.send(message("Q", "copy ledger from stdin"));
        await client.until("G");
        for (const entry of entries)
          client.send(message("d", Buffer.from(`${this.#run}\t${this.#id}\t${entry}\n`)));
        client.send(message("c"));
        expect(types(await client.until("Z"))).toBe("CZ");
        this.#entry += 2;
        this.committed.push(...entries);
        return;
      }
      case "copy out": {
        const answers = await client.query(
          `copy (select '${this.#mark}' from generate_series(1, 500)) to stdout`,
        );
        const lines = answers.filter(({ type }) => type === "d").map(({ body }) => body.toString());
        expect(new Set(lines)).toEqual(new Set([`${this.#mark}\n`]));
        expect(lines).toHaveLength(500);
        return;
      }
      case "row security": {
        const sub = `${this.#run}/${this.#id}`;
        await client.query(
          `begin; set local role authenticated; select set_config('request.jwt.claims', '{"sub":"${sub}"}', true)`,
        );
        await client.query(`insert into notes values ('${sub}', '${this.#mark}')`);
        await this.#own("select distinct owner, current_user from notes", [[sub, "authenticated"]]);
        const refused = await client.query(`insert into notes values ('somebody else', '${this.#mark}')`);
        expect(errorIn(refused)?.C).toBe("42501");
        await client.query("rollback");
        return this.#own("select current_user, coalesce(current_setting('request.jwt.claims', true), '')", [
          ["authenticator", ""],
        ]);
      }
      case "portal":
        client.send(message("Q", "begin"));
        await client.until("Z");
        client.send(parse("", `select '${this.#mark}', generate_series(1, 5)`), bind("", [], "portal"), sync);
        await client.until("Z");
        client.send(execute("portal", 2), flush);
        expect(rows(await client.until("s")).map(([mark]) => mark)).toEqual([this.#mark, this.#mark]);
        client.send(execute("portal"), sync);
        expect(rows(await client.until("Z"))).toHaveLength(3);
        await client.query("commit");
    }
  }

  async #end(how: string): Promise<void> {
    const client = this.#client;
    switch (how) {
      case "politely":
        client.send(message("X"));
        await client.until("none");
        expect(client.closed).toBe(true);
        return;
      case "in a transaction":
        await client.query(`begin; ${this.#insert()}`);
        break;
      case "in a copy":
        client.send(message("Q", "copy ledger from stdin"));
        await client.until("G");
        client.send(message("d", Buffer.from(`${this.#run}\t${this.#id}\t999\n`)));
        break;
      case "in a pipeline":
        client.send(parse("", "select pg_sleep(0.01)"), bind(""), execute(), flush);
        break;
      case "mid-frame":
        client.send(message("Q", "select 'never finished'").subarray(0, 12));
    }
    client.destroy();
  }
}

describe("twenty clients at once", () => {
  let run = 0;

  it("see only their own answers, and leave nothing locked or half done", async () => {
    const check = database.connect("postgres", { max: 1 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(program, { minLength: clientsAtOnce, maxLength: clientsAtOnce }),
        async (programs) => {
          run += 1;
          const name = `run ${run}`;
          const workers = await Promise.all(
            programs.map(async (each, id) => {
              const { client } = await RawClient.login(
                database.port,
                "authenticator",
                database.passwords.authenticator,
              );
              const worker = new Worker(client, name, id);
              await worker.work(each);
              return worker;
            }),
          );
          const expected = workers.flatMap((worker, client) =>
            worker.committed.map((entry) => ({ client, entry })),
          );
          const found = await check`
            select client, entry from ledger where run = ${name} order by client, entry`;
          expect([...found]).toEqual(expected);
          expect([...(await check`select * from notes`)]).toEqual([]);
          const [left] = await check`
            select (select count(*)::int from pg_cursors where is_holdable) as cursors,
                   (select count(*)::int from pg_locks where locktype in ('advisory', 'transactionid')) as locks`;
          expect(left).toEqual({ cursors: 0, locks: 0 });
        },
      ),
      // A schedule cannot be replayed, so shrinking is useless.
      { numRuns: 8, endOnFailure: true },
    );
  });
});
