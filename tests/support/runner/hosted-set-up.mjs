// Provides the machine of the vitest project "hosted" when vitest runs without tests/run.mjs.
import { startHosted } from "./hosted.mjs";

export default async function setUp() {
  if (process.env.HOSTED_SERVER_URL) return undefined;
  const hosted = await startHosted(300_000);
  if (hosted.missing) throw new Error(hosted.missing);
  Object.assign(process.env, hosted.env);
  return hosted.stop;
}
