// Abandons a model's reply after its first words, with the garbage collector run, in Deno as in production. Prints "left" afterwards.
// Called with the model's URL; needs --v8-flags=--expose-gc.
import { modelClient } from "../../edge-functions/_shared/models/models.ts";

const [address] = Deno.args;
const control = new AbortController();
const models = modelClient({ OPENAI_BASE_URL: address, OPENAI_MODEL: "gpt-test" });
const messages = [{ role: "user", content: "Why?" }];
let giveUp;
const hasBegun = new Promise((resolve) => {
  giveUp = resolve;
});
const left = (async () => {
  for await (const _event of models.chatStream({ messages, signal: control.signal })) giveUp();
})().catch((error) => error.message);
await hasBegun;
for (let times = 0; times < 5; times++) {
  // The request's remains live until its own turns of the event loop are over.
  await new Promise((resolve) => setTimeout(resolve, 10));
  globalThis.gc();
}
control.abort(new Error("left"));
console.log(await left);
// The process exits unless a connection is still open.
