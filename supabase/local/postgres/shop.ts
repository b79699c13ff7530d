// Owns what all connections of one server share. No behaviour.

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
  /** Whose session the engine holds. */
  lastServed: Connection | null;
  /** Login and settings of that session where nothing else is left in it: a client with the same may have it as it is. */
  clean: string | null;
  /** The engine that `loaded` and `lastServed` speak of. */
  generation: number;
}
