// Owns how long a process that was asked to end may take over it. Must not know what it puts down, nor what runs it.
import { log } from "./log.ts";

/** Whoever asks for an end makes one by force soon after 5 s. */
const limits = { putDownMs: 4_000, allMs: 4_500 };

/** Puts the work down, then closes the doors; what is not done in time is left behind, for leases to hand on. */
export async function endInTime(
  putDown: () => Promise<unknown>,
  close: () => Promise<unknown>,
  { putDownMs, allMs } = limits,
): Promise<void> {
  const start = performance.now();
  await atMost(putDownMs, putDown, "work was left behind at the end of the process");
  await atMost(allMs - (performance.now() - start), close, "connections were cut at the end of the process");
}

async function atMost(ms: number, step: () => Promise<unknown>, otherwise: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("it took too long")), ms);
  });
  try {
    await Promise.race([step(), late]);
  } catch (error) {
    log("warn", otherwise, { error: String(error) });
  } finally {
    clearTimeout(timer);
  }
}
