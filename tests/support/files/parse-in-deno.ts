// Run by Deno in a test: parses within limits that are far too small, then within ordinary ones. Prints what became of each.
import { endParseThreads, parseGuarded } from "../../../edge-functions/indexing/parse-guarded.ts";
import { ParseError } from "../../../edge-functions/indexing/parsers/document.ts";

const signal = new AbortController().signal;
const large = new TextEncoder().encode(`a,b\n${"1,2\n".repeat(1_500_000)}`);

async function outcome(
  name: string,
  bytes: Uint8Array,
  within?: { milliseconds: number; memoryMib: number },
) {
  try {
    return (await parseGuarded({ name, bytes }, signal, within)).text.slice(0, 20);
  } catch (error) {
    return error instanceof ParseError ? { code: error.code, message: error.message } : String(error);
  }
}

const words = new TextEncoder().encode("Words.");
const outcomes = {
  slow: await outcome("slow.csv", large, { milliseconds: 200, memoryMib: 512 }),
  hungry: await outcome("hungry.csv", large, { milliseconds: 8_000, memoryMib: 48 }),
  after: await outcome("after.txt", words),
  again: await outcome("again.txt", words),
};
await endParseThreads();
console.log(JSON.stringify(outcomes));
