// Lab metrics of the pages that strangers open first, from Chromium's own traces: LCP, CLS and TBT, as web.dev defines them, at a phone's
// width with a 4 times slower CPU and a 1.6 Mbit/s line (Lighthouse's mobile settings). `npx tsx tests/bench/lab.ts` against a running,
// seeded stack. Prints; judges nothing.
import { loadavg } from "node:os";
import { type Browser, chromium } from "@playwright/test";
import config from "../../playwright.config.ts";

const RUNS = 5;
const SETTLED_MS = 2_000;
const LONG_TASK_MS = 50;
const CATEGORIES = ["loading", "blink.user_timing", "toplevel", "devtools.timeline", "rail"];

/** The used fields of a trace event. Times are in µs on one clock. */
interface TraceEvent {
  name: string;
  ts: number;
  dur?: number;
  pid: number;
  tid: number;
  args: { data?: { isMainFrame?: boolean; weighted_score_delta?: number; had_recent_input?: boolean } };
}

/** Milliseconds, except cls, which has no unit. */
interface Figures {
  fcp: number;
  lcp: number;
  cls: number;
  tbt: number;
}

/** Null when the trace has no page load: a busy machine loses some events. */
function figuresOf(events: TraceEvent[]): Figures | null {
  const paints = (name: string) => events.filter((event) => event.name === name);
  const fcp = paints("firstContentfulPaint").at(-1);
  const start = paints("navigationStart")
    .filter(({ pid, ts }) => pid === fcp?.pid && ts < fcp.ts)
    .at(-1);
  if (!fcp || !start) return null;
  const after = ({ ts }: TraceEvent) => (ts - start.ts) / 1000;
  const lcp =
    paints("largestContentfulPaint::Candidate")
      .filter(({ pid }) => pid === fcp.pid)
      .at(-1) ?? fcp;
  const shifts = paints("LayoutShift").filter(
    ({ pid, args }) => pid === fcp.pid && args.data?.isMainFrame !== false && !args.data?.had_recent_input,
  );
  const blocked = events
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && pid === fcp.pid && tid === fcp.tid)
    .filter(({ ts }) => ts >= fcp.ts)
    .reduce((sum, { dur = 0 }) => sum + Math.max(0, dur / 1000 - LONG_TASK_MS), 0);
  return {
    fcp: after(fcp),
    lcp: after(lcp),
    cls: shifts.reduce((sum, { args }) => sum + (args.data?.weighted_score_delta ?? 0), 0),
    tbt: blocked,
  };
}

async function load(browser: Browser, path: string): Promise<Figures | null> {
  const context = await browser.newContext({
    baseURL: config.use?.baseURL,
    viewport: { width: 412, height: 823 },
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    });
    await browser.startTracing(page, { categories: CATEGORIES });
    await page.goto(path, { waitUntil: "networkidle" });
    await page.waitForTimeout(SETTLED_MS);
    const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    return figuresOf(trace.traceEvents);
  } finally {
    await context.close();
  }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

async function publicChat(): Promise<string> {
  const answer = await fetch(`${config.use?.baseURL}/v1/agents?name=handbook`);
  const { data } = (await answer.json()) as { data: { id: string }[] };
  if (!data[0]) throw new Error("The seeded agent 'handbook' is not there.");
  return `/chats/${data[0].id}`;
}

const browser = await chromium.launch(config.use?.launchOptions);
try {
  const pages = { home: "/", login: "/login", "public chat": await publicChat() };
  for (const [name, path] of Object.entries(pages)) {
    const runs: Figures[] = [];
    for (let tried = 0; runs.length < RUNS && tried < 2 * RUNS; tried++) {
      const figures = await load(browser, path);
      if (figures) runs.push(figures);
    }
    const of = (key: keyof Figures) => median(runs.map((run) => run[key]));
    console.log(
      `${name.padEnd(12)} FCP ${of("fcp").toFixed(0)} ms, LCP ${of("lcp").toFixed(0)} ms, CLS ${of("cls").toFixed(3)}, TBT ${of("tbt").toFixed(0)} ms (median of ${runs.length}; load ${loadavg()[0]?.toFixed(1)})`,
    );
  }
} finally {
  await browser.close();
}
