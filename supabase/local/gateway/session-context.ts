// Owns opening the transaction of a REST request, with its caller: one message in place of lite's eight to thirteen. Each message costs
// the embedded Postgres and the gateway as much as the query itself. The settings and their values are lite's.
import type { PostgresConnection } from "@supabase/lite/postgres";
import type postgres from "postgres";
import { literal } from "../../../edge-functions/_shared/database/connections.ts";

interface Caller {
  auth?: { role?: string; uid?: string | null; jwt?: unknown } | null;
  storage?: { operation?: unknown } | null;
}

interface Call {
  method: string;
  path: string;
  requestHeaders?: Record<string, string>;
}

type Transaction = PostgresConnection["kysely"];

/** Replaces lite's own methods, which send each setting as a statement with a message to describe it and one to run it. */
export function openInOneMessage(connection: PostgresConnection): void {
  holdBegins(connection.driver);
  replace(
    connection,
    "applyJwtSessionContext",
    async (transaction: Transaction, { auth, storage }: Caller) => {
      const role = auth?.role || "anon";
      const { jwt } = auth ?? {};
      await setLocally(transaction, {
        "request.jwt.claim.sub": String(auth?.uid ?? ""),
        "request.jwt.claim.role": role,
        "storage.operation": String(storage?.operation ?? ""),
        ...(jwt && typeof jwt === "object" ? { "request.jwt.claims": JSON.stringify(jwt) } : {}),
        // Last: it ends the login's own rights.
        role,
      });
    },
  );
  replace(connection, "applyRpcRequestGucs", async (transaction: Transaction, call: Call) => {
    await setLocally(transaction, {
      "response.status": "",
      "response.headers": "",
      "request.method": call.method,
      "request.path": call.path,
      "request.headers": JSON.stringify(call.requestHeaders ?? {}),
    });
  });
}

/** Replaces a method of lite's. */
export function replace(connection: PostgresConnection, name: string, value: unknown): void {
  if (typeof Reflect.get(connection, name) !== "function") {
    throw new Error(`@supabase/lite no longer has ${name}: look up where it sets the session now`);
  }
  Object.defineProperty(connection, name, { value });
}

/** Sets values until the transaction ends. Without parameters, the driver sends them as one message and waits once. */
async function setLocally(transaction: Transaction, settings: Record<string, string>): Promise<void> {
  const statements = Object.entries(settings).map(([name, value]) => `set local ${name} = ${literal(value)}`);
  const text = statements.join("; ");
  await transaction.executeQuery({
    sql: text,
    parameters: [],
    query: { kind: "RawNode", sqlFragments: [text], parameters: [] },
    queryId: { queryId: "" },
  });
}

/** Sends a transaction's `begin` in one message with its first statement. A transaction without statements sends nothing. */
function holdBegins(driver: postgres.Sql): void {
  const reserve = driver.reserve.bind(driver);
  driver.reserve = async () => holdBegin(await reserve());
}

function holdBegin(reserved: postgres.ReservedSql): postgres.ReservedSql {
  let isHeld = false;
  const unsafe = (...[given, values = [], options]: Parameters<postgres.ReservedSql["unsafe"]>) => {
    // lite sends a function's JSON as a text, which the driver would make a JSON string of.
    const text = given.replace(/(:= \$\d+)::(jsonb?)\b/g, "$1::text::$2");
    const isBegin = text === "begin";
    if (isBegin || (isHeld && /^(?:commit|rollback)$/.test(text))) {
      isHeld = isBegin;
      return Promise.resolve(Object.assign([], { command: text, count: 0 }));
    }
    if (!isHeld) return reserved.unsafe(text, values, options);
    isHeld = false;
    // Postgres takes no values with several statements.
    if (values.length === 0) return reserved.unsafe(`begin; ${text}`, [], options);
    return reserved.unsafe("begin").then(() => reserved.unsafe(text, values, options));
  };
  return new Proxy(reserved, {
    get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name)),
  });
}
