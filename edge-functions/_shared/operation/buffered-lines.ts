// Owns buffered log output: lines written within a short interval leave in one write. Does not know their content.
import process from "node:process";

const waitMs = 100;
const mostCharacters = 16_384;

/** @param write receives whole lines, without the last line break */
export function bufferedLines(write: (lines: string) => void) {
  let lines: string[] = [];
  let characters = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const text = lines.join("\n");
    lines = [];
    characters = 0;
    write(text);
  }

  // Node announces its exit with the first event, Deno with the second.
  process.on("exit", flush);
  globalThis.addEventListener?.("unload", flush);
  return {
    add(line: string): void {
      lines.push(line);
      characters += line.length;
      if (characters >= mostCharacters) flush();
      else timer ??= setTimeout(flush, waitMs);
    },
    flush,
  };
}
