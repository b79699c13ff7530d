// Fails the test during which something wrote to console.error. A test that expects it spies on console.error itself.
// Vitest already fails a run with an unhandled rejection.
import { format } from "node:util";
import { afterEach, beforeEach } from "vitest";

const written: string[] = [];
const original = console.error;

console.error = (...values: unknown[]) => {
  written.push(format(...values));
  original(...values);
};

beforeEach(() => {
  written.length = 0;
});

afterEach(() => {
  const unexpected = written.splice(0);
  if (unexpected.length > 0) throw new Error(`Unexpected console.error:\n${unexpected.join("\n")}`);
});
