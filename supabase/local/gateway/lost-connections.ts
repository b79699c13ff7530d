// Owns lite's connections to the database: what it may still do with one that was lost, nothing, and what stays in memory of one that was
// released, nothing. Does not reconnect, which the driver does.
import { AsyncLocalStorage } from "node:async_hooks";
import type postgres from "postgres";
import { isLoss, isStatement, Line } from "../../../edge-functions/_shared/database/line.ts";
import { codeOf } from "../error-code.ts";
import { TOO_LARGE_ANSWER } from "./bounded-socket.ts";

type Reserve = postgres.Sql["reserve"];

const ASK_AGAIN_MS = 1000;

interface Fate {
  isLost: boolean;
  /** The connection was ended because its answer was too large. */
  isTooLarge: boolean;
}
const requests = new AsyncLocalStorage<Fate>();

/** Runs a request. @returns its result, and whether it lost its connection or got none: lite does not say so */
export async function watchConnections<T>(work: () => Promise<T>): Promise<{ result: T } & Fate> {
  const request: Fate = { isLost: false, isTooLarge: false };
  const result = await requests.run(request, work);
  return { result, ...request };
}

function noteLoss(error: unknown, request = requests.getStore()): void {
  if (!request || !isLoss(error)) return;
  request.isLost = true;
  if (codeOf(error) === TOO_LARGE_ANSWER) request.isTooLarge = true;
}

/**
 * Refuses statements on a lost connection, and does not return it to the pool, where the driver has put it already. postgres.js 3.4.9
 * would write to the socket that is gone and throw where nothing can catch it (its issue 1208): lite sends a ROLLBACK after a loss.
 */
export function refuseAfterLoss(driver: postgres.Sql): void {
  const reserve = driver.reserve.bind(driver);
  driver.reserve = async () => guard(await reserveSurely(reserve));
}

/** When a connection closes, the driver can lose a waiting request for one: it is asked again. */
function reserveSurely(reserve: Reserve): Promise<postgres.ReservedSql> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = () => {
      isOver = true;
      clearInterval(asking);
    };
    const ask = () => {
      reserve().then(
        (reserved) => {
          if (isOver) return reserved.release();
          end();
          resolve(reserved);
        },
        (error: unknown) => {
          end();
          noteLoss(error);
          reject(error);
        },
      );
    };
    const asking = setInterval(ask, ASK_AGAIN_MS);
    ask();
  });
}

function guard(reserved: postgres.ReservedSql): postgres.ReservedSql {
  let loss: Error | undefined;
  // A connection reports its loss outside of the request that uses it.
  const request = requests.getStore();
  const line = new Line((error) => {
    loss ??= error;
    noteLoss(error, request);
  });
  const unsafe = (...[statement, values, options]: Parameters<postgres.ReservedSql["unsafe"]>) => {
    if (loss) throw loss;
    const query = reserved.unsafe(statement, values, Object.assign({ onexecute: line.onexecute }, options));
    if (!isStatement(query)) throw new Error("postgres.js no longer has Query.reject");
    return line.take(query);
  };
  const release = () => {
    if (loss) return;
    line.end();
    reserved.release();
  };
  const replaced: Record<PropertyKey, unknown> = { unsafe, release };
  return new Proxy(reserved, { get: (target, name) => replaced[name] ?? Reflect.get(target, name) });
}
