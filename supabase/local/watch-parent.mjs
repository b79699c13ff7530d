// Ends this process with the one that started it: loaded before every Node child (node --import). The supervisor holds
// the other end of stdin, which closes however it dies, kill -9 included. Plain JavaScript: it runs without a build.
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const end = () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 4_000).unref();
  };
  process.stdin.on("end", end);
  process.stdin.on("error", end);
  process.stdin.resume();
  // A job of ours ends when its work is done, whether or not we listen.
  process.stdin.unref();
  // Ctrl-C goes to every process of the terminal; the supervisor alone decides who ends when.
  process.on("SIGINT", () => {});
}
