// Which agent the front page lets people try: the one that the installation names, or none.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "parley-demo-agent-"));
afterAll(() => rmSync(folder, { recursive: true }));
const id = "01a20189-3eeb-7000-8002-845c85090bb1";
const noted = "01a20189-3eeb-7000-8002-845c85090bb2";

beforeEach(() => {
  vi.resetModules();
  vi.unstubAllEnvs();
  vi.stubEnv("COOKIE_SECRET", "a secret of the tests");
});

async function asked(settings: Record<string, string>) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return (await import("../../web/server/demo-agent.ts")).demoAgentId();
}

test("none is chosen where none is named: nobody's agent is found by its name", async () => {
  expect(await asked({})).toBeUndefined();
  expect(await asked({ DEMO_AGENT_ID: "" })).toBeUndefined();
});

test("the setting names it, before what the seed has noted", async () => {
  const file = join(folder, "both");
  writeFileSync(file, noted);
  expect(await asked({ DEMO_AGENT_ID: id, DEMO_AGENT_FILE: file })).toBe(id);
  vi.resetModules();
  await expect(asked({ DEMO_AGENT_ID: "handbook" })).rejects.toThrow("DEMO_AGENT_ID");
});

test("the local stack's is known as soon as the seed has noted it", async () => {
  const file = join(folder, "later");
  vi.stubEnv("DEMO_AGENT_FILE", file);
  const { demoAgentId } = await import("../../web/server/demo-agent.ts");
  expect(await demoAgentId()).toBeUndefined();
  writeFileSync(file, "not an id");
  expect(await demoAgentId()).toBeUndefined();
  writeFileSync(file, `${noted}\n`);
  expect(await demoAgentId()).toBe(noted);
});
