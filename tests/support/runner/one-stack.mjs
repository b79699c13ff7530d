// Owns the single stack of the v1 and e2e suites: free ports, a data folder of its own, its shutdown.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reserveOffset } from "./port-offset.mjs";
import { start, stop } from "./process.mjs";

const BASE_PORTS = {
  web: 3000,
  sdk: 3001,
  gateway: 54321,
  postgres: 54322,
  mailbox: 54324,
  smtp: 54325,
  models: 54330,
};
/** The port of a test's fake Slack (tests/support/fakes/slack.ts). */
const SLACK_PORT = 54340;
/**
 * Ports on this machine that the stack may call, for a test's fakes: a source, a webhook receiver, three models, nothing at all, and a fourth model.
 * Each is one test file's, since files run side by side.
 */
const SERVICE_PORTS = [54341, 54342, 54343, 54344, 54345, 54346, 54347];
const FUNCTION_PORTS = [54331, 54332, 54333, 54334];

/**
 * Starts the stack as a user would, with `npm start`.
 * @param {Record<string, string>} more settings of the stack, also passed to its tests.
 * @param {string[]} [held] collects its output, which is otherwise printed.
 * @returns {Promise<{ env: Record<string, string>, stop: () => Promise<string | undefined> }>} the tests' environment
 * (tests/support/stack.ts), and stop(), which resolves with a complaint after an unclean shutdown.
 * @throws when it does not print "ready" within `timeoutMs`; the message ends with its last output.
 */
export async function startStack(timeoutMs, more = {}, held = undefined) {
  const offset = await reserveOffset([
    ...Object.values(BASE_PORTS),
    ...FUNCTION_PORTS,
    SLACK_PORT,
    ...SERVICE_PORTS,
  ]);
  const dataDir = mkdtempSync(join(tmpdir(), "parley-tests-"));
  const settings = {
    PARLEY_PORT_OFFSET: String(offset),
    PARLEY_DATA_DIR: dataDir,
    PARLEY_OUTBOUND_ALLOW: SERVICE_PORTS.map((port) => `127.0.0.1:${port + offset}`).join(","),
    METRICS_TOKEN: "shown-by-the-tests-that-scrape",
    // The built-in model is done before a test could stop its reply.
    OFFLINE_WORD_PAUSE_MS: "75",
    // A team reaches it only where a test adds to its count.
    TEAM_STORAGE_MIB: "100000000",
    ...more,
  };
  const slack = {
    SLACK_CLIENT_ID: "1.2",
    SLACK_CLIENT_SECRET: "client-secret",
    SLACK_SIGNING_SECRET: "signing-secret",
    SLACK_API_URL: `http://127.0.0.1:${SLACK_PORT + offset}/api`,
  };
  const child = start("npm", ["start"], { env: { ...settings, ...slack }, held });
  const end = async () => {
    const { leftBehind } = await stop(child, 15_000);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    return leftBehind ? "a process of the stack was still there after SIGTERM" : undefined;
  };
  try {
    await ready(child, timeoutMs);
  } catch (error) {
    await end();
    throw error;
  }
  const local = (name) => `http://127.0.0.1:${BASE_PORTS[name] + offset}`;
  return {
    env: {
      ...settings,
      WEB_URL: local("web"),
      SUPABASE_URL: local("gateway"),
      MAILBOX_URL: local("mailbox"),
      MODELS_URL: local("models"),
    },
    stop: end,
  };
}

function ready(child, timeoutMs) {
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`The stack ${why}:\n${child.tail.slice(-3000)}`));
    const timer = setTimeout(() => fail(`was not ready after ${timeoutMs / 1000} s`), timeoutMs);
    child.stdout.on("data", () => {
      if (!/^ready http:\/\/\S+/m.test(child.tail)) return;
      clearTimeout(timer);
      resolve();
    });
    child.ended.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code} before it was ready`);
    });
  });
}
