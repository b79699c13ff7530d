// Fails a test during which console.error was called. A test that expects the call spies on console.error itself. Vitest already fails a
// run with an unhandled rejection.
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
