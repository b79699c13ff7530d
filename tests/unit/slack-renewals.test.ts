// A workspace's token is renewed while the database restarts. Slack's refresh token works once: what it gave must not be lost.
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { stubSettings } from "../support/function-settings.ts";
import { answer, reset, statements } from "../support/scripted-database.ts";

const callSlack = vi.fn();
vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));
vi.mock("../../edge-functions/slack/api.ts", async (original) => ({
  ...(await original<object>()),
  callSlack,
}));

let openWorkspace: typeof import("../../edge-functions/slack/installations.ts").openWorkspace;
let secrets: typeof import("../../edge-functions/_shared/secrets/secrets.ts");
let context: string;
beforeAll(async () => {
  stubSettings({ SLACK_CLIENT_ID: "id", SLACK_CLIENT_SECRET: "secret" });
  ({ openWorkspace } = await import("../../edge-functions/slack/installations.ts"));
  secrets = await import("../../edge-functions/_shared/secrets/secrets.ts");
  const { slackTokens } = await import("../../edge-functions/_shared/secrets/sealed-columns.ts");
  context = slackTokens.contextOf("T1");
});
beforeEach(() => {
  reset();
  callSlack.mockReset();
  callSlack.mockImplementation(async (_token: string | undefined, method: string) =>
    method === "oauth.v2.access"
      ? { ok: true, access_token: "new", refresh_token: "next", expires_in: 43_200 }
      : { ok: true },
  );
});

const connectionError = () =>
  Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });

/** Makes a call that renews the token first; the database refuses to store it so many times. */
async function callRenewing(refusals: Error[]): Promise<void> {
  const tokens = secrets.seal(JSON.stringify({ access: "old", refresh: "once" }), context);
  answer([{ botUserId: "B1" }], [{ tokens, stale: true, mine: true, alive: true }], ...refusals);
  const workspace = await openWorkspace("T1");
  await workspace?.call("chat.postMessage", {});
}

test("renewed tokens are stored as soon as the database is back", async () => {
  await callRenewing([connectionError(), connectionError()]);
  expect(callSlack.mock.calls.map(([token, method]) => [method, token])).toEqual([
    ["oauth.v2.access", undefined],
    ["chat.postMessage", "new"],
  ]);
  const [sealed] = statements.at(-1)?.values ?? [];
  const stored = JSON.parse(secrets.unseal(sealed as Uint8Array, context));
  expect(stored).toEqual({ access: "new", refresh: "next" });
});

test("another error is not met again", async () => {
  await expect(callRenewing([new Error("a fault of ours")])).rejects.toThrow("a fault of ours");
  expect(statements).toHaveLength(3);
});
