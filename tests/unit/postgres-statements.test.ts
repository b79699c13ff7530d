// Prepared statements shared by clients, more than the backend holds: random schedules of failing transactions, pipelines and reconnecting
// clients. Each client gets what a Postgres of its own would send.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { message, query, sync } from "../../supabase/local/postgres/protocol.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import {
  type Answer,
  bind,
  errorIn,
  execute,
  parse,
  RawClient,
  rows,
} from "../support/postgres-raw-client.ts";
import fc from "../support/property-cases.ts";

let database: TestPostgres;
const clientsAtOnce = 3;

beforeAll(async () => {
  database = await startTestPostgres({ bare: true, limits: { connections: 30, statements: 4 } });
});
afterAll(() => database?.stop());

const login = async (): Promise<RawClient> =>
  (await RawClient.login(database.port, "authenticator", database.passwords.authenticator)).client;

const refused = "select no_such_column";
const texts = [...["1", "2", "3", "4", "5", "6", "7"].map((number) => `select '${number}'`), refused];

const statement = fc.record({
  name: fc.constantFrom("one", "two", "three"),
  text: fc.constantFrom(...texts),
});
const step = fc.oneof(
  { weight: 4, arbitrary: statement.map((made) => ({ what: "parse" as const, ...made })) },
  { weight: 6, arbitrary: statement.map((made) => ({ what: "use" as const, ...made })) },
  { weight: 1, arbitrary: statement.map((made) => ({ what: "parse and use" as const, ...made })) },
  { weight: 1, arbitrary: statement.map((made) => ({ what: "close" as const, ...made })) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant("query" as const),
      sql: fc.constantFrom("begin", "rollback", "commit", "select 1 / 0", "deallocate all", "discard all"),
    }),
  },
);
type Step =
  | { what: "parse" | "use" | "parse and use" | "close"; name: string; text: string }
  | { what: "query"; sql: string };
const turn = fc.record({
  client: fc.nat(clientsAtOnce - 1),
  /** In one packet. */
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  leaves: fc.boolean(),
});

/** A client's expected answer from a Postgres of its own: the row, the error's code, or nothing. */
class Model {
  status: "I" | "T" | "E" = "I";
  readonly #known = new Map<string, string>();

  expectedAnswer(step: Step): string {
    const answer = step.what === "query" ? this.#query(step.sql) : this.#statement(step);
    if (/^\d{2}\w{3}$/.test(answer) && this.status === "T") this.status = "E";
    return answer;
  }

  #query(sql: string): string {
    const ends = sql === "rollback" || sql === "commit";
    if (ends) {
      this.status = "I";
      return "";
    }
    if (this.status === "E") return "25P02";
    if (sql === "begin") this.status = "T";
    if (sql === "select 1 / 0") return "22012";
    if (sql === "discard all" && this.status === "T") return "25001";
    if (sql === "deallocate all" || sql === "discard all") this.#known.clear();
    return "";
  }

  #statement({ what, name, text }: Exclude<Step, { what: "query" }>): string {
    if (what === "close") {
      this.#known.delete(name);
      return "";
    }
    if (what !== "use") {
      if (this.status === "E") return "25P02";
      if (text === refused) return "42703";
      if (this.#known.has(name)) return "42P05";
      this.#known.set(name, text);
    }
    const known = this.#known.get(name);
    if (what === "parse") return "";
    if (known === undefined) return "26000";
    return this.status === "E" ? "25P02" : (/'(.*)'/.exec(known)?.[1] ?? "");
  }
}

function messagesOf(step: Step): Buffer[] {
  if (step.what === "query") return [query(step.sql)];
  const { what, name, text } = step;
  if (what === "close") return [message("C", Buffer.from("S"), name), sync];
  const made = what === "use" ? [] : [parse(name, text)];
  return what === "parse" ? [...made, sync] : [...made, bind(name), execute(), sync];
}

const readAnswer = (answers: Answer[]): string => errorIn(answers)?.C ?? rows(answers)[0]?.[0] ?? "";

describe("prepared statements", () => {
  it("belong to each client, however many share them and whatever fails", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 10, maxLength: 40 }), async (turns) => {
        const newPerson = async () => ({ client: await login(), model: new Model() });
        const people = await Promise.all(Array.from({ length: clientsAtOnce }, newPerson));
        try {
          let holder: number | undefined;
          for (const { client: who, steps, leaves } of turns) {
            // No other client gets a turn within a transaction.
            const at: number = holder ?? who;
            const { client, model } = people[at] as (typeof people)[number];
            const expected = steps.map((each) => model.expectedAnswer(each));
            client.send(...steps.flatMap(messagesOf));
            const told: string[] = [];
            for (const _step of steps) told.push(readAnswer(await client.until("Z")));
            expect(told).toEqual(expected);
            holder = model.status === "I" ? undefined : at;
            if (!leaves) continue;
            client.destroy();
            holder = undefined;
            people[at] = await newPerson();
          }
        } finally {
          for (const { client } of people) client.destroy();
        }
      }),
      { numRuns: 60 },
    );
  });

  /** Prepares one more than the backend holds, or the given number. */
  async function prepareOthers(numbers = [1, 2, 3, 4, 5]): Promise<void> {
    const other = await login();
    const others = numbers.map((number) => parse(`other ${number}`, `select 'other', ${number}`));
    other.send(...others.flatMap((made) => [made, sync]));
    for (const _made of others) await other.until("Z");
    other.destroy();
  }

  const run = async (client: RawClient, ...messages: Buffer[]) => {
    client.send(...messages, bind("kept"), execute(), sync);
    return readAnswer(await client.until("Z"));
  };

  it("stay usable by all when the backend prepared one in a failed transaction", async () => {
    const [one, two] = [await login(), await login()];
    expect(await run(one, parse("kept", "select 'kept'"))).toBe("kept");
    await prepareOthers();
    await one.query("begin; select 1 / 0");
    expect(await run(one)).toBe("25P02");
    await one.query("rollback");
    expect(await run(two, parse("kept", "select 'kept'"))).toBe("kept");
    expect(await run(one)).toBe("kept");
    one.destroy();
    two.destroy();
  });

  it("end a failed transaction, whoever prepared the rollback", async () => {
    const [one, two] = [await login(), await login()];
    expect(await run(one, parse("kept", "rollback"))).toBe("");
    await two.query("begin; select 1 / 0");
    expect(await run(two, parse("kept", "rollback"))).toBe("");
    expect(rows(await two.query("select 'whole'"))).toEqual([["whole"]]);
    one.destroy();
    two.destroy();
  });

  it("are restored after one miss when SQL drops them unseen by the server", async () => {
    const [one, two] = [await login(), await login()];
    expect(await run(one, parse("kept", "select 'kept'"))).toBe("kept");
    await two.query("do $$ begin execute 'deallocate all'; end $$");
    expect(await run(one)).toBe("26000");
    expect(await run(two, parse("kept", "select 'kept'"))).toBe("kept");
    expect(await run(one)).toBe("kept");
    one.destroy();
    two.destroy();
  });

  /** A transaction in one packet, whose statement can be prepared only inside it: the answers to its three messages. */
  const inOnePacket = async (client: RawClient, between: () => Promise<void>): Promise<unknown[]> => {
    client.send(query("begin; create table passing ()"), bind("kept"), execute(), sync, query("rollback"));
    await between();
    const answers = [await client.until("Z"), await client.until("Z"), await client.until("Z")];
    return answers.map((answer) => errorIn(answer)?.C ?? rows(answer)[0]?.[0]);
  };
  const superuser = async (): Promise<RawClient> =>
    (await RawClient.login(database.port, "postgres", database.passwords.postgres)).client;
  const prepareInside = async (client: RawClient) => {
    await client.query("begin; create table passing ()");
    expect(await run(client, parse("kept", "select 'kept' from (select count(*) from passing) as _"))).toBe(
      "kept",
    );
    await client.query("rollback");
  };

  it("that the backend forgot while their transaction waited are prepared inside it", async () => {
    const [one, two] = [await superuser(), await superuser()];
    await prepareInside(one);
    await two.query("begin");
    const heard = await inOnePacket(one, async () => {
      // By then the server has read the other client's messages.
      for (let round = 0; round < 3; round++) await two.query("select 1");
      await two.query("deallocate all");
      await two.query("commit");
    });
    expect(heard).toEqual([undefined, "kept", undefined]);
    one.destroy();
    two.destroy();
  });

  it("that are least recently used are not closed by the batch that uses them", async () => {
    const one = await superuser();
    await prepareInside(one);
    await prepareOthers([1, 2, 3, 4]);
    expect(await inOnePacket(one, async () => {})).toEqual([undefined, "kept", undefined]);
    one.destroy();
  });

  it("are unreachable under the backend's name for them", async () => {
    const [one, two] = [await login(), await login()];
    expect(await run(one, parse("kept", "select 'kept'"))).toBe("kept");
    for (let number = 1; number < 3000; number += 1) {
      two.send(bind(`p${number}`), sync, message("C", Buffer.from("S"), `p${number}`), sync);
    }
    for (let number = 1; number < 3000; number += 1) {
      expect(errorIn(await two.until("Z"))?.C).toBe("26000");
      await two.until("Z");
    }
    expect(await run(one)).toBe("kept");
    one.destroy();
    two.destroy();
  });
});
