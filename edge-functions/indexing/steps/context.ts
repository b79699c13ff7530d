// What every step of a task is given, and how a task is left between slices.
import type { Turn } from "../budget.ts";
import type { ConnectorContext, Source } from "../connectors/connector.ts";
import { openCredentials } from "../connectors/credentials.ts";
import type { Embedder } from "../embedding.ts";
import type { Claim } from "../queue.ts";

export interface StepContext {
  claim: Claim;
  turn: Turn;
  embedder: Embedder;
  /** A source by its id, read once a turn. */
  source(id: string): Promise<Source | undefined>;
}

export function stepContext(claim: Claim, turn: Turn, embedder: Embedder): StepContext {
  const sources = new Map<string, Promise<Source | undefined>>();
  const read = async (id: string) => {
    const [row] = await claim.read(
      (tx) => tx<(Omit<Source, "credentials"> & { sealed: Uint8Array | null })[]>`
        select s.id, s.team_id, s.type, s.config, c.ciphertext as sealed
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
    source: (id) => {
      const known = sources.get(id) ?? read(id);
      sources.set(id, known);
      return known;
    },
  };
}

/** What a connector is given of a step. */
export function connectorContext({ claim }: StepContext, source: Source): ConnectorContext {
  return { source, signal: claim.signal, read: (work) => claim.read(work) };
}

/**
 * The task is put down as it is and goes on later: its turn is over, or another worker is at the documents that are left.
 */
export class PutDown extends Error {
  override readonly name = "PutDown";
  constructor(readonly delaySeconds = 0) {
    super("put down");
  }
}

/** Between slices: counts one, and leaves when it is time to. @throws PutDown; the signal's reason */
export function endSlice({ claim, turn }: StepContext): void {
  turn.endSlice();
  claim.signal.throwIfAborted();
  if (turn.isOver()) throw new PutDown();
}

/** Before work that cannot be cut: leaves it to an invocation of its own where much of this one is spent. @throws PutDown */
export function takeRoom({ turn }: StepContext): void {
  if (!turn.leavesRoom()) throw new PutDown();
}
