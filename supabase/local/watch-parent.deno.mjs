// Ends this process with its parent. Loaded before every edge function (deno run --preload). Deno runs the function
// only when the preloaded module has nothing left to await, so this polls the parent's pid instead of reading stdin.
// Not part of the functions: hosted Supabase manages its own.
const parent = Deno.ppid;
const timer = setInterval(() => {
  if (Deno.ppid !== parent) Deno.exit(0);
}, 500);
Deno.unrefTimer(timer);
