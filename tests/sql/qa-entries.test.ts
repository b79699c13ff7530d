// Written answers: their documents are created and deleted with them, through PostgREST and /v1, and they expire.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Actor, claimsOf } from "../support/actors.ts";
import { stubSettings } from "../support/function-settings.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller, refusal } from "./acting.ts";
import { qaEntryRow } from "./qa-entry-rows.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 2 });
});
afterAll(() => database.stop());
beforeEach(async () => {
  world = await makeWorld(sql);
  await sql`delete from public.tasks where team_id = ${world.team}`;
});

const as = <Result>(actor: Actor, work: (tx: TransactionSql) => Promise<Result>) =>
  asCaller(sql, claimsOf(actor, world), work);
const write = (values: object = {}, actor: Actor = "editor") =>
  as(actor, async (tx) => {
    const [row] = await tx<{ id: string; owner_id: string; reviewed_by: string }[]>`
      insert into public.qa_entries ${tx({ ...qaEntryRow(world), ...values })} returning id, owner_id, reviewed_by`;
    return row?.id ?? "";
  });
const documentOf = async (entry: string) => {
  const [row] = await sql`
    select type, title, status, content from public.documents
     where source_id = ${world.qaSource} and external_id = ${entry}`;
  return row;
};
const listQueued = async () =>
  await sql`select type, source_id from public.tasks where team_id = ${world.team} and status = 'queued'`;
const sync = () => [{ type: "sync", source_id: world.qaSource }];
const expire = (entry: string) =>
  sql`update public.qa_entries set expires_at = clock_timestamp() - interval '1 second' where id = ${entry}`;

describe("an entry", () => {
  test("belongs to its writer, has a document from the start, and queues the sync", async () => {
    const entry = await write({ question: "How\nlong?" });
    expect(await documentOf(entry)).toEqual({
      type: "qa",
      title: "How long?",
      status: "queued",
      content: null,
    });
    expect(await listQueued()).toEqual(sync());
    const [row] = await sql`select owner_id, reviewed_by from public.qa_entries where id = ${entry}`;
    expect(row).toEqual({ owner_id: world.people.editor, reviewed_by: world.people.editor });
  });

  test("stops answering at the moment of its deletion", async () => {
    await as("editor", (tx) => tx`delete from public.qa_entries where id = ${world.qaEntry}`);
    expect(await documentOf(world.qaEntry)).toBeUndefined();
    expect(await listQueued()).toEqual(sync());
  });

  test("is reviewed by each save", async () => {
    await as(
      "admin",
      (tx) => tx`update public.qa_entries set answer = '26 days.' where id = ${world.qaEntry}`,
    );
    const [row] = await sql`select reviewed_by from public.qa_entries where id = ${world.qaEntry}`;
    expect(row).toEqual({ reviewed_by: world.people.admin });
    expect(await listQueued()).toEqual(sync());
  });

  test("is deleted with its source", async () => {
    await as("editor", (tx) => tx`delete from public.sources where id = ${world.qaSource}`);
    expect(await sql`select 1 from public.qa_entries where id = ${world.qaEntry}`).toEqual([]);
  });
});

describe("an expired entry", () => {
  test("is removed from the index once, and added again with another date", async () => {
    const entry = await write();
    await sql`update public.qa_entries set expires_at = now() + interval '1 hour' where id = ${entry}`;
    await sql`select private.end_expired_entries(10)`;
    expect(await documentOf(entry)).toBeDefined();
    // Time passes.
    await sql`update public.qa_entries set expires_at = clock_timestamp() + interval '20 milliseconds' where id = ${entry}`;
    await new Promise((resolve) => setTimeout(resolve, 40));
    await sql`delete from public.tasks where team_id = ${world.team}`;
    expect(await sql`select private.end_expired_entries(10) as ended`).toEqual([{ ended: 1 }]);
    expect(await documentOf(entry)).toBeUndefined();
    expect(await listQueued()).toEqual(sync());
    expect(await sql`select private.end_expired_entries(10) as ended`).toEqual([{ ended: 0 }]);
    await as("editor", (tx) => tx`update public.qa_entries set expires_at = null where id = ${entry}`);
    expect(await documentOf(entry)).toBeDefined();
    const [row] = await sql`select ended_at from public.qa_entries where id = ${entry}`;
    expect(row).toEqual({ ended_at: null });
  });

  test("has no document, however it expired", async () => {
    const entry = await write();
    await expire(entry);
    expect(await documentOf(entry)).toBeUndefined();
    expect(await documentOf(await write({ expires_at: "2020-01-01T00:00:00Z" }))).toBeUndefined();
  });
});

describe("hostile writes", () => {
  test.each<[string, (w: World) => object, Actor, string]>([
    ["into a source of files", (w) => ({ source_id: w.source }), "editor", "23503"],
    ["into another team", (w) => ({ team_id: w.otherTeam }), "editor", "42501"],
    ["into another team's source", (w) => ({ source_id: w.qaSource }), "outsider", "42501"],
    ["for an owner who is no member", (w) => ({ owner_id: w.people.outsider }), "editor", "23503"],
    ["for somebody who is only invited", (w) => ({ owner_id: w.people.invited }), "editor", "23503"],
    ["of nothing", () => ({ answer: " " }), "editor", "23514"],
    ["as a viewer", () => ({}), "viewer", "42501"],
    ["with a review of somebody else's", (w) => ({ reviewed_by: w.people.owner }), "editor", "42501"],
  ])("%s", async (_what, values, actor, code) => {
    expect(await refusal(write(values(world), actor))).toBe(code);
  });

  test("a document of this type still cannot be written by a client", async () => {
    const row = {
      team_id: world.team,
      source_id: world.qaSource,
      external_id: "x",
      type: "qa",
      title: "Forged",
      content: "Forged.",
    };
    expect(await refusal(as("editor", (tx) => tx`insert into public.documents ${tx(row)}`))).toBe("23514");
    const forge = as(
      "editor",
      (tx) => tx`update public.documents set content = 'Forged.' where external_id = ${world.qaEntry}`,
    );
    expect(await refusal(forge)).toBe("23514");
  });

  test("an infinite date is rejected", async () => {
    const never = as(
      "editor",
      (tx) => tx`update public.qa_entries set expires_at = 'infinity' where id = ${world.qaEntry}`,
    );
    expect(await refusal(never)).toBe("23514");
  });

  test("a source has at most 5,000 entries", async () => {
    await sql`
      insert into public.qa_entries (team_id, source_id, question, answer)
      select ${world.team}, ${world.qaSource}, 'Q', 'A' from generate_series(1, 4999)`;
    expect(await refusal(write())).toBe("23514");
  });
});

test("entries are imported with their documents and without the exporter's accounts", async () => {
  stubSettings({ DATABASE_URL: database.url("authenticator") });
  const { closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
  const { importStaged } = await import("../support/staged-import.ts");
  const { tables } = await import("../../edge-functions/importing/rows.ts");
  const { newIdOf } = await import("../../edge-functions/importing/ids.ts");
  const [source, held, expired] = [randomUUID(), randomUUID(), randomUUID()];
  const times = { createdAt: "2026-01-01T00:00:00Z", reviewedAt: "2026-01-02T00:00:00Z" };
  const entry = (id: string, expiresAt: string | null) => ({
    ...{
      id,
      sourceId: source,
      question: "How long?",
      answer: "25 days.",
      expiresAt,
      ownerId: world.people.outsider,
    },
    ...times,
  });
  const document = (externalId: string) => ({
    ...{ id: randomUUID(), sourceId: source, externalId, type: "qa", title: "How long?", url: null },
    ...{ content: "Forged.", contentHash: "0".repeat(64), createdAt: times.createdAt },
  });
  const archive = {
    sources: [{ id: source, type: "qa", name: "Answers", config: {}, schedule: "manual", ...times }],
    qa_entries: [entry(held, "2999-01-01T00:00:00Z"), entry(expired, "2026-02-01T00:00:00Z")],
    documents: [document(held), document(expired), document(randomUUID())],
  };
  await sql`delete from private.import_rows where team_id = ${world.team}`;
  for (const [kind, lines] of Object.entries(archive))
    for (const [position, line] of lines.entries()) {
      const row = tables[kind as keyof typeof archive](line);
      await sql`
        insert into private.import_rows (team_id, kind, position, old_id, new_id, content)
        values (${world.team}, ${kind}, ${position + 1}, ${row?.oldId ?? null}, ${newIdOf(world.team, row?.oldId ?? "")},
                ${JSON.stringify(row?.content)}::text::jsonb)`;
    }
  await importStaged({ teamId: world.team, userId: world.people.owner });
  await closeDatabase();
  const found = await sql`
    select e.question, e.owner_id, e.expires_at > now() as holds, d.id is not null as has_document, d.content, e.reviewed_at
      from public.qa_entries e
      left join public.documents d on d.source_id = e.source_id and d.external_id = e.id::text
     where e.team_id = ${world.team} and e.id <> ${world.qaEntry} order by e.expires_at`;
  const same = {
    question: "How long?",
    owner_id: null,
    content: null,
    reviewed_at: new Date(times.reviewedAt),
  };
  expect(found).toEqual([
    { ...same, holds: false, has_document: false },
    { ...same, holds: true, has_document: true },
  ]);
});
