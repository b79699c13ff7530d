// Limits count every call, at any concurrency.
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { testCrowd } from "./racing.ts";

const callers = 20;
const most = 7;

testCrowd("twenty callers at once: a limit of seven lets seven through", {
  size: callers,
  begin: async () => `race:${randomUUID()}`,
  // A day: the window must not end within a round.
  work: async (sql, key) => (await sql`select private.take_hit(${key}, ${most}, 86400) as wait`)[0]?.wait,
  check: async (sql, key, waits) => {
    expect(waits.filter((wait) => wait === 0).length).toBe(most);
    const counted = await sql`select hits from private.rate_limits where key = ${key}`;
    expect(counted.map(({ hits }) => hits)).toEqual([callers]);
  },
  unlock: (sql) => sql`
    create or replace function private.take_hit(limit_key text, max_hits int, window_seconds int) returns int
    language plpgsql volatile set search_path = '' as $$
    declare
      counted int := 1 + coalesce((select r.hits from private.rate_limits r where r.key = limit_key), 0);
    begin
      insert into private.rate_limits as r (key, window_start, hits) values (limit_key, '2026-01-01', counted)
      on conflict (key, window_start) do update set hits = counted;
      return case when counted <= max_hits then 0 else 1 end;
    end
    $$`,
});
