// Owns the gateway process: settings, start, end.
import { log } from "../../../edge-functions/_shared/operation/log.ts";
import { waitUntilPrepared } from "../preparation.ts";
import { removeUnfinished } from "./file-storage-adapter.ts";
import { createLite } from "./lite.ts";
import { createGateway, createGatewayServer } from "./server.ts";
import { readGatewaySettings } from "./settings.ts";
import { sweepDaily } from "./unrecorded-bytes.ts";
import { warmUp } from "./warm-up.ts";

const settings = readGatewaySettings(process.env);
const lite = await createLite(settings);
const gateway = createGateway(settings, lite);
const server = createGatewayServer(settings, gateway);

process.on("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  void lite.close().finally(() => process.exit(0));
  setTimeout(() => process.exit(0), 4_000).unref();
});

// The supervisor starts all processes at once; this fingerprint names the database state to wait for.
await waitUntilPrepared(settings.databaseUrl, process.env.PREPARED_FINGERPRINT ?? "");
await removeUnfinished(settings.storageDir);
server.listen(settings.port, "127.0.0.1", () => {
  log("info", "listening", { process: "gateway", port: settings.port });
  void warmUp(gateway, settings);
  sweepDaily(settings.storageDir, lite.app.connection.driver);
});
