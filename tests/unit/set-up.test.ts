// What a first start checks before it installs and builds, which takes a minute.
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { needWebPort } from "../../supabase/local/set-up.mjs";
import { basePorts } from "../../supabase/local/settings.ts";

test("a taken port of the app is named at once, and a free or an invalid one is not", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  const env = { PARLEY_PORT_OFFSET: String(port - basePorts.web) };
  await expect(needWebPort(env)).rejects.toThrow(`Port ${port} is taken by another program: `);
  await needWebPort({ ...env, PARLEY_ONLY: "postgres,gateway" });
  await new Promise((resolve) => other.close(resolve));
  await needWebPort(env);
  await needWebPort({ PARLEY_PORT_OFFSET: "many" });
});

test("a port that browsers refuse is named at once, as Node's fetch refuses it", async () => {
  const refusal = await fetch("http://127.0.0.1:6666/").catch((error: Error) => error.cause);
  expect(String(refusal)).toContain("bad port");
  await expect(needWebPort({ PARLEY_PORT_OFFSET: "3666" })).rejects.toThrow(
    "Port 6666 is one that browsers refuse",
  );
});
