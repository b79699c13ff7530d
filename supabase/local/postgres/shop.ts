// Owns the state that all connections of one server share. No behaviour.

import type { Connection } from "./connection.ts";
import type { Engine } from "./engine.ts";
import type { Limits } from "./limits.ts";
import type { Accounts } from "./login.ts";
import type { LoadedStatements } from "./statements.ts";
import type { Turns } from "./turns.ts";

export interface Shop {
  engine: Engine;
  turns: Turns;
  loaded: LoadedStatements;
  accounts: Accounts;
  limits: Limits;
  connections: Map<number, Connection>;
  /** The connection whose session the engine holds. */
  lastServed: Connection | null;
  /** Login and settings of that session when it holds nothing else: a client with the same ones can use it without a reset. */
  clean: string | null;
  /** The engine that `loaded` and `lastServed` refer to. */
  generation: number;
}
