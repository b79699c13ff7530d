// A test run that somebody starts with `nice`: only root may raise a priority again.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const program = `
  import { getPriority, setPriority } from "node:os";
  import { start } from "./tests/support/runner/process.mjs";
  setPriority(0, Math.max(7, getPriority()));
  const priorityOf = async (nice) => {
    const child = start(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { quiet: true, nice });
    const priority = getPriority(child.pid);
    child.kill("SIGKILL");
    await child.ended;
    return priority;
  };
  console.log(JSON.stringify([getPriority(), await priorityOf(0), await priorityOf(5), await priorityOf(15)]));
`;

test("gives way to the rest of a run at any priority", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const [own, ...children] = JSON.parse(stdout);
  expect(own).toBeGreaterThanOrEqual(7);
  expect(children).toEqual([0, 5, 15].map((nice) => Math.min(own + nice, 19)));
});
