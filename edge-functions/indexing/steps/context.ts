// Owns the context of a task's steps, and how a task is put down between slices.
import type { Turn } from "../budget.ts";
import type { ConnectorContext, Source, SourceRefused } from "../connectors/connector.ts";
import { openCredentials } from "../connectors/credentials.ts";
import type { Embedder } from "../embedding.ts";
import type { Claim } from "../queue.ts";

export interface StepContext {
  claim: Claim;
  turn: Turn;
  embedder: Embedder;
  /** Returns a source by id, read once per turn. */
  source(id: string): Promise<Source | undefined>;
  /** Why a source refused, by its id: it is not asked again in this turn. */
  refusals: Map<string, SourceRefused>;
  /** The last error of a document that did not fit into the team's storage in this turn. */
  unfit?: unknown;
}

export function stepContext(claim: Claim, turn: Turn, embedder: Embedder): StepContext {
  const sources = new Map<string, Promise<Source | undefined>>();
  const read = async (id: string) => {
    const [row] = await claim.read(
      (tx) => tx<(Omit<Source, "credentials"> & { sealed: Uint8Array | null })[]>`
        select s.id, s.team_id, s.type, s.config, c.ciphertext as sealed, private.source_login(s.id) as login
          from public.sources s left join private.source_credentials c on c.source_id = s.id where s.id = ${id}`,
    );
    if (!row) return undefined;
    const { sealed, ...source } = row;
    return { ...source, credentials: sealed && openCredentials(sealed, id) };
  };
  return {
    claim,
    turn,
    embedder,
    refusals: new Map(),
    source: (id) => {
      const known = sources.get(id) ?? read(id);
      sources.set(id, known);
      return known;
    },
  };
}

/** The part of a step's context that a connector receives. */
export function connectorContext({ claim }: StepContext, source: Source): ConnectorContext {
  return { source, signal: claim.signal, read: (work) => claim.read(work) };
}

/** Releases the task to be continued later: its turn is over, or another worker holds the remaining documents. */
export class PutDown extends Error {
  override readonly name = "PutDown";
  constructor(readonly delaySeconds = 0) {
    super("put down");
  }
}

/** Call between slices: counts one, and ends the turn when it is over. @throws PutDown; the signal's reason */
export function endSlice({ claim, turn }: StepContext): void {
  turn.endSlice();
  claim.signal.throwIfAborted();
  if (turn.isOver()) throw new PutDown();
}

/** Call before work that cannot be split: leaves it to an invocation of its own if too much of this one is spent. @throws PutDown */
export function requireRoom({ turn }: StepContext): void {
  if (!turn.leavesRoom()) throw new PutDown();
}
