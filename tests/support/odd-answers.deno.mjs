// Calls a service with both kinds of outbound call, in Deno as in production. Prints how each ended.
// Called with the address of the service, which PARLEY_OUTBOUND_ALLOW names.
import { send } from "../../edge-functions/_shared/outbound/outbound.ts";
import { fetchWithin } from "../../edge-functions/_shared/outbound/outbound-fetch.ts";

const url = new URL(Deno.args[0]);
const ending = (call) =>
  call.then(
    ({ status }) => `answer ${status}`,
    (error) => error.problem ?? error.message,
  );
console.log(await ending(send(url, { timeoutMs: 5000 })));
console.log(await ending(fetchWithin()(url, { signal: AbortSignal.timeout(5000) })));
Deno.exit();
