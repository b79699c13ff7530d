// A process ends on request, whatever in it hangs.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endInTime } from "../../edge-functions/_shared/operation/ending.ts";

const forEver = new Promise<never>(() => {});
let logged: string[];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void logged.push(JSON.parse(line).message));
});
afterEach(() => vi.restoreAllMocks());
const soon = { putDownMs: 20, allMs: 40 };

describe("the end of a process", () => {
  it("releases the work first, and then closes the servers", async () => {
    const steps: string[] = [];
    const close = async () => void steps.push("closed");
    const putDown = async () => {
      await Promise.resolve();
      steps.push("put down");
    };
    await endInTime(putDown, close);
    expect(steps).toEqual(["put down", "closed"]);
    expect(logged).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["hangs", () => forEver],
    ["fails", () => Promise.reject(new Error("no database"))],
  ])("comes when the work %s, and the servers still close", async (_name, putDown) => {
    const close = vi.fn(async () => {});
    await endInTime(putDown, close, soon);
    expect(close).toHaveBeenCalledOnce();
    expect(logged).toEqual(["work was left behind at the end of the process"]);
  });

  it("comes when a connection stays open", async () => {
    await endInTime(
      async () => {},
      () => forEver,
      soon,
    );
    expect(logged).toEqual(["connections were cut at the end of the process"]);
  });
});
