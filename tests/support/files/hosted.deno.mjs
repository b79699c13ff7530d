// Loaded before an edge function in a test: what hosted Supabase adds to Deno, by which the function knows where it is.
globalThis.EdgeRuntime = { waitUntil() {} };
