// Runs in Deno: parses every bomb within production's limits, an ordinary file after each, and prints the outcome, the time and the peak
// memory.
import process from "node:process";
import { endParsers, parseGuarded } from "../../../edge-functions/indexing/parse-guarded.ts";
import { ParseError } from "../../../edge-functions/indexing/parsers/document.ts";
import { bombs } from "./bombs.ts";

const signal = new AbortController().signal;
const words = new TextEncoder().encode("Words.");
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 20);

for (const { name, bytes, may } of bombs()) {
  const before = process.memoryUsage().rss;
  peak = before;
  const startedAt = performance.now();
  const outcome = await parseGuarded({ name, bytes }, signal, { milliseconds: 20_000 }).then(
    () => "read",
    (error: unknown) => (error instanceof ParseError ? error.code : String(error)),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const after = (await parseGuarded({ name: "after.txt", bytes: words }, signal))?.text;
  console.log(
    JSON.stringify({
      name,
      outcome,
      isExpected: [...may, "too_slow"].includes(outcome),
      seconds,
      mib: (peak - before) / 2 ** 20,
      after,
    }),
  );
}
clearInterval(watch);
await endParsers();
