// Owns the deadline of a process shutdown. Must not know what is stopped, nor what runs the process.
import { log } from "./log.ts";

/** The platform kills the process soon after 5 s. */
const limits = { putDownMs: 4_000, allMs: 4_500 };

/**
 * Interrupts the work, then closes connections. Work that is not finished in time is abandoned: its lease expires and another worker takes
 * it over.
 */
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
