// Runs an agent's tests from a terminal or a pipeline: `npm run agents:test -- --agent ID`. docs/agent-tests.md has the exit codes.
// Uses only the API. The key is in PARLEY_API_KEY, never among the arguments, which other processes can read.
import { parseArgs } from "node:util";
import { type RetryPolicy, retryAfterMs, withRetries } from "../../edge-functions/_shared/outbound/retry.ts";

type Result = {
  position: number;
  question: string;
  verdict: string | null;
  overruled: string | null;
  change: string | null;
};
type Run = {
  status: string;
  total: number;
  broken: number;
  undecided: number;
  fixed: number;
  versionNumber: number;
  liveVersionNumber: number | null;
  error: string | null;
  results: Result[];
};

const pollMs = 1000;
const open = ["queued", "running"];
const usage =
  "PARLEY_API_KEY=prl_… npm run agents:test -- --agent ID [--version ID] [--url http://127.0.0.1:54321/functions/v1]";

/** The run goes on while its reader waits for a server that restarts. */
const reading: RetryPolicy = { tries: 8, firstMs: 500, factor: 2, longestMs: 60_000 };

class Refused extends Error {
  /** @param laterMs until a read is tried again, 0 if the server names no time; undefined: it is useless */
  constructor(
    message: string,
    readonly laterMs?: number,
  ) {
    super(message);
  }
}

async function main(): Promise<number> {
  const { agent, url, version } = settings();
  const key = process.env.PARLEY_API_KEY;
  if (!agent || !key) {
    console.error(
      `${key ? "Name an agent with --agent." : "Set PARLEY_API_KEY to an API key of the team."}\n${usage}`,
    );
    return 2;
  }
  const call = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const answer = await fetch(`${url.replace(/\/$/, "")}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    }).catch((error: Error) => {
      throw new Refused(`${url} cannot be reached: ${Object(error.cause).message ?? error.message}`, 0);
    });
    const value = await answer.json().catch(() => undefined);
    if (answer.ok && value) return value;
    const passes = answer.status >= 500 || answer.status === 429;
    throw new Refused(
      `${method} ${path}: ${value?.message ?? `status ${answer.status} without the API's answer. Check --url.`}`,
      passes ? (retryAfterMs(answer.headers) ?? 0) : undefined,
    );
  };
  const [team] = (await call("GET", "/v1/teams")).data;
  if (!team) throw new Refused("PARLEY_API_KEY is not the API key of a team.");
  const tests = `/v1/teams/${team.id}/agents/${encodeURIComponent(agent)}/tests`;
  const { runId } = await call("POST", `${tests}/runs`, version ? { versionId: version } : {});
  const read = (): Promise<Run> =>
    withRetries(
      reading,
      undefined,
      () => call("GET", `${tests}/runs/${runId}`),
      (failure) => (failure instanceof Refused ? failure.laterMs : undefined),
    );
  let run = await read();
  while (open.includes(run.status)) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    run = await read();
  }
  if (run.total === 0) throw new Refused("The agent has no tests.");
  print(run);
  return run.status === "succeeded" && run.broken === 0 && run.undecided === 0 ? 0 : 1;
}

function settings() {
  const { values } = parseArgs({
    options: { agent: { type: "string" }, version: { type: "string" }, url: { type: "string" } },
  });
  return { ...values, url: values.url ?? "http://127.0.0.1:54321/functions/v1" };
}

function print(run: Run): void {
  const against = run.liveVersionNumber === null ? "" : ` against version ${run.liveVersionNumber}`;
  console.log(`Version ${run.versionNumber}${against}\n`);
  const rows = [...run.results].sort((one, other) => one.position - other.position);
  for (const { position, question, verdict, overruled, change } of rows) {
    const columns = [
      String(position).padStart(4),
      (overruled ?? verdict ?? "not run").padEnd(16),
      (change ?? "").padEnd(7),
    ];
    console.log(`${columns.join("  ")}  ${question.replace(/\s+/g, " ").slice(0, 100)}`);
  }
  console.log(`\n${run.total} tests, ${run.broken} broken, ${run.fixed} fixed, ${run.undecided} undecided`);
  if (run.status !== "succeeded")
    console.error(`The run ended early (${run.status}): ${run.error ?? "somebody stopped it"}`);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  },
);
