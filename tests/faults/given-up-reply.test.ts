// A model that falls silent during its reply, and the abandoned reply: Deno's fetch misses the abort once the garbage collector has run, so
// nothing may depend on it.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { denoArgs, denoPath } from "../support/deno-function.ts";
import { startOpenAiFake } from "../support/fakes/openai.ts";

const script = fileURLToPath(new URL("../support/given-up-reply.deno.mjs", import.meta.url));

it("an abandoned reply ends at once, and its connection is closed", async () => {
  const fake = await startOpenAiFake();
  fake.next({ how: "stall", after: 2 });
  const args = [...denoArgs, "--v8-flags=--expose-gc", script, fake.baseUrl];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  try {
    const { stdout } = await promisify(execFile)(denoPath(), args, { env });
    expect(stdout).toBe("left\n");
    await expect.poll(() => fake.aborted).toBe(1);
  } finally {
    await fake.stop();
  }
});
