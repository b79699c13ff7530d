// The agent on the front page: the installation's configured one, or none.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { DataContext } from "../../web/render/page-definition.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-demo-agent-"));
afterAll(() => rmSync(folder, { recursive: true }));
const id = "01a20189-3eeb-7000-8002-845c85090bb1";
const noted = "01a20189-3eeb-7000-8002-845c85090bb2";

beforeEach(() => {
  vi.resetModules();
  vi.unstubAllEnvs();
  vi.stubEnv("COOKIE_SECRET", "a secret of the tests");
});

async function findDemoAgent(settings: Record<string, string>) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return (await import("../../web/request/demo-agent.ts")).demoAgentId();
}

test("none is shown without a setting: no agent is found by its name", async () => {
  expect(await findDemoAgent({})).toBeUndefined();
  expect(await findDemoAgent({ DEMO_AGENT_ID: "" })).toBeUndefined();
});

test("the setting has priority over the seed's", async () => {
  const file = join(folder, "both");
  writeFileSync(file, noted);
  expect(await findDemoAgent({ DEMO_AGENT_ID: id, DEMO_AGENT_FILE: file })).toBe(id);
  vi.resetModules();
  await expect(findDemoAgent({ DEMO_AGENT_ID: "handbook" })).rejects.toThrow("DEMO_AGENT_ID");
});

test("the local stack's agent is known as soon as the seed has stored it", async () => {
  const file = join(folder, "later");
  vi.stubEnv("DEMO_AGENT_FILE", file);
  const { demoAgentId } = await import("../../web/request/demo-agent.ts");
  expect(await demoAgentId()).toBeUndefined();
  writeFileSync(file, "not an id");
  expect(await demoAgentId()).toBeUndefined();
  writeFileSync(file, `${noted}\n`);
  expect(await demoAgentId()).toBe(noted);
});

test("visitors of the front page share an answer for a second; somebody logged in gets their own", async () => {
  vi.stubEnv("DEMO_AGENT_ID", id);
  const { data } = await import("../../web/pages/index/+data.ts");
  const { ApiFailure } = await import("../../web/request/api-failure.ts");
  const get = vi.fn(async () => ({ name: `Answer ${get.mock.calls.length}`, suggestedPrompts: [] }));
  const open = async (sentSession: boolean) => {
    const request = { sentSession, api: { get } };
    const { agent } = await data({ request } as unknown as DataContext); // what the page reads of it
    return agent?.name;
  };
  vi.useFakeTimers();
  get.mockRejectedValueOnce(new ApiFailure("", 404, "Not Found", null));
  expect(await open(false)).toBeUndefined();
  expect([await open(false), await open(false)]).toEqual(["Answer 2", "Answer 2"]);
  expect([await open(true), await open(false)]).toEqual(["Answer 3", "Answer 2"]);
  vi.advanceTimersByTime(1000);
  expect(await open(false)).toBe("Answer 4");
  vi.useRealTimers();
});
