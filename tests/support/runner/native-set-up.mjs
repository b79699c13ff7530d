// Provides the server of the vitest project "native" when vitest runs without tests/run.mjs.
import { startNativePostgres } from "./native-postgres.mjs";

export default async function setUp() {
  const server = await startNativePostgres(300_000);
  if (server.missing) throw new Error(server.missing);
  process.env.TEST_DATABASE_URL = server.url;
  return server.stop;
}
