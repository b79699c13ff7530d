// A data folder gets a new key for its secrets, and then drops the earlier one.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Sealing } from "../../edge-functions/_shared/secrets/sealing.ts";
import { lockDataDir } from "../../supabase/local/lock.ts";
import { type Keys, surveySecrets } from "../../supabase/local/rotation/reseal.ts";
import { readKeys, rotateSecrets } from "../../supabase/local/rotation/rotate.ts";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { readSettings, type Settings } from "../../supabase/local/settings.ts";
import { copyTemplate } from "../support/postgres.ts";
import { withFolder } from "../support/releases.ts";

let folder: string;
let settings: Settings;

const readStoredKeys = () =>
  readKeys(JSON.parse(readFileSync(join(folder, "secrets.json"), "utf8")).secretsKey);
const survey = (...keys: Keys) => withFolder(folder, (_url, sql) => surveySecrets(sql, keys));
const seal = (workspace: string, key: string) =>
  withFolder(
    folder,
    (_url, sql) => sql`
      insert into private.slack_installations (workspace_id, bot_user_id, tokens)
      values (${workspace}, 'U1', ${new Sealing([key]).seal("tokens", `slack:${workspace}`)})`,
  );

beforeAll(async () => {
  ({ folder } = await copyTemplate());
  settings = readSettings({ PARLEY_DATA_DIR: folder });
  await loadSecrets(folder);
  await seal("T1", readStoredKeys()[0]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a folder in use keeps its key", async () => {
  const before = readStoredKeys();
  const lock = lockDataDir(folder);
  try {
    await expect(rotateSecrets(settings, {}, { forget: false })).rejects.toThrow(
      /^Parley runs on .*: stop it/,
    );
  } finally {
    lock.release();
  }
  expect(readStoredKeys()).toEqual(before);
});

test("a new key seals everything; the earlier one stays until it is dropped, and then opens nothing", async () => {
  const [old] = readStoredKeys();
  const rotation = await rotateSecrets(settings, {}, { forget: false });
  expect(rotation).toEqual({
    survey: { current: 0, earlier: 1, unreadable: [] },
    earlierKeys: 1,
    from: "folder",
  });
  const [fresh, ...rest] = readStoredKeys();
  expect([rest, fresh === old]).toEqual([[old], false]);
  expect(await survey(fresh)).toEqual({ current: 1, earlier: 0, unreadable: [] });

  // As a process that did not know the new key yet would.
  await seal("T2", old);
  const forgotten = await rotateSecrets(settings, {}, { forget: true });
  expect(forgotten.survey).toEqual({ current: 1, earlier: 1, unreadable: [] });
  expect(readStoredKeys()).toEqual([fresh]);
  expect(await survey(fresh)).toEqual({ current: 2, earlier: 0, unreadable: [] });
});

test("no key is dropped while some value cannot be opened", async () => {
  await rotateSecrets(settings, {}, { forget: false });
  const before = readStoredKeys();
  await seal("T3", "another key that is long enough!!");
  await expect(rotateSecrets(settings, {}, { forget: true })).rejects.toThrow(
    "1 stored secrets open with none of the keys, private.slack_installations T3 for one: connect those sources",
  );
  expect(readStoredKeys()).toEqual(before);
});

test("keys in SECRETS_KEY are removed in the environment, and a short one is refused", async () => {
  const env = { SECRETS_KEY: readStoredKeys().join(",") };
  await expect(rotateSecrets(settings, env, { forget: true })).rejects.toThrow(
    /^SECRETS_KEY is yours to set/,
  );
  await expect(rotateSecrets(settings, { SECRETS_KEY: "short" }, { forget: false })).rejects.toThrow(
    /fewer than 32 characters/,
  );
  expect(await rotateSecrets(settings, env, { forget: false })).toMatchObject({ from: "environment" });
});
