// Owns the embedded @supabase/lite: its configuration and its workarounds (see
// docs/decisions/0002-local-stack.md). Must not listen on a port: server.ts decides what reaches it.
import type { App } from "@supabase/lite";
import type { PostgresConnection } from "@supabase/lite/postgres";
import { openBounded } from "./bounded-socket.ts";
import { FileStorageAdapter } from "./file-storage-adapter.ts";
import { refuseAfterLoss } from "./lost-connections.ts";
import { TemplateMailer } from "./mailer.ts";
import { readAsPostgrest } from "./rest-calls.ts";
import { STATEMENT_MS } from "./rest-limits.ts";
import {
  answerErrorsAsPostgrest,
  bytesAsPostgrest,
  flagAsPostgrest,
  textAsPostgrest,
  timeAsPostgrest,
} from "./rest-repairs.ts";
import { openInOneMessage } from "./session-context.ts";
import type { GatewaySettings } from "./settings.ts";

const ACCESS_TOKEN_SECONDS = 3600;
/** Ten digits: the hash in a confirmation link derives from the address and this code, so the code must not be guessable. */
export const CODE_DIGITS = 10;
const CODE_SECONDS = 24 * 3600;

/** The same as in supabase/config.toml. */
const MAX_ROWS = 1000;

type LiteApp = App<{ connection: PostgresConnection }>;
export interface Lite {
  app: LiteApp;
  mailer: TemplateMailer;
  close(): Promise<void>;
}

/** Builds the app against a superuser login. Writes nothing to the database before `provision` is called. */
export async function createLite(settings: GatewaySettings): Promise<Lite> {
  // lite reads this flag on import.
  process.env.EXPERIMENTAL_STORAGE = "1";
  const [{ App }, { createPostgresConnection }] = await Promise.all([
    import("@supabase/lite"),
    import("@supabase/lite/postgres"),
  ]);
  const connection = createPostgresConnection({
    url: settings.databaseUrl,
    postgresOptions: {
      max: 6,
      idle_timeout: 60,
      onnotice: () => {},
      types: {
        text: textAsPostgrest,
        boolean: flagAsPostgrest,
        bytea: bytesAsPostgrest,
        timestamp: timeAsPostgrest(1114),
        timestamptz: timeAsPostgrest(1184),
      },
      // The driver has this option and its types do not.
      ...{ socket: openBounded },
      connection: { statement_timeout: STATEMENT_MS },
    },
  });
  refuseAfterLoss(connection.driver);
  withoutGrants(connection);
  openInOneMessage(connection);
  answerErrorsAsPostgrest(connection);
  readAsPostgrest(connection);
  const app = new App({
    connection,
    api: { schemas: ["public"], max_rows: MAX_ROWS },
    auth: {
      enabled: true,
      jwt_secret: settings.jwtSecret,
      jwt_expiry: ACCESS_TOKEN_SECONDS,
      site_url: settings.webUrl,
      minimum_password_length: 8,
      enable_refresh_token_rotation: true,
      email: {
        enable_signup: true,
        enable_confirmations: true,
        otp_length: CODE_DIGITS,
        otp_expiry: CODE_SECONDS,
      },
    },
    storage: { enabled: true },
    // migrate.ts owns the record of migrations.
    db: { migrations: { enabled: false } },
    options: { server: { admin: false, disableStudio: true } },
  });
  const mailer = new TemplateMailer(settings, connection);
  app._mailer = mailer;
  app._storageAdapter = new FileStorageAdapter(settings.storageDir, async (bucket, key) => {
    const rows =
      await connection.driver`select 1 from storage.objects where bucket_id = ${bucket} and name = ${key}`;
    return rows.length > 0;
  });
  await initQuietly(app);
  return {
    app,
    mailer,
    // Not connection.close(): it waits for every query, and the first read of the schema takes seconds.
    close: () => connection.driver.end({ timeout: 1 }),
  };
}

/** Without lite's notice that storage is experimental: the files are stored by our adapter, and whoever restores a backup reads it. */
async function initQuietly(app: LiteApp): Promise<void> {
  const { warn } = console;
  console.warn = () => {};
  try {
    await app.init();
  } finally {
    console.warn = warn;
  }
}

/**
 * On its first request lite grants ALL on every table of a schema with row-level security to anon and authenticated.
 * Our grants are in sql/ and must not change, so this step is replaced by its result "roles are in place".
 */
function withoutGrants(connection: PostgresConnection): void {
  if (typeof Reflect.get(connection, "ensureRlsContext") !== "function") {
    throw new Error("@supabase/lite no longer has ensureRlsContext: look up where it grants now");
  }
  Object.defineProperty(connection, "ensureRlsContext", { value: async () => true });
}
