// Owns how a command of package.json ends: one sentence for a failure that the person can mend, the whole error for any other.
import { explainFileError, Fatal } from "./fatal.ts";

/** Runs a command. A failure is printed and makes the process end with status 1. */
export async function runCommand(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const sentence =
      error instanceof Fatal
        ? error.message
        : explainFileError(error, process.env.PARLEY_DATA_DIR || ".parley");
    console.error(sentence ?? error);
    process.exitCode = 1;
  }
}
