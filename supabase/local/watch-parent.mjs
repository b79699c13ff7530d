// Ends this process with its parent. Loaded before every Node child (node --import). The supervisor holds the other end
// of stdin, which closes however the supervisor dies, kill -9 included. Plain JavaScript, so it runs without a build.
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const end = () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 4_000).unref();
  };
  process.stdin.on("end", end);
  process.stdin.on("error", end);
  process.stdin.resume();
  // unref() lets a one-shot job exit when its work is done.
  process.stdin.unref();
  // Ctrl-C reaches every process of the terminal; the supervisor alone decides the order of the shutdown.
  process.on("SIGINT", () => {});
}
