// Ends this process with the one that started it: loaded before every edge function (deno run --preload). Deno runs the
// function only when the preloaded module has nothing left to wait for, so it watches the parent's id, not stdin.
// Not part of the functions: hosted Supabase has its own.
const parent = Deno.ppid;
const timer = setInterval(() => {
  if (Deno.ppid !== parent) Deno.exit(0);
}, 500);
Deno.unrefTimer(timer);
