// Owns documents that their service fails to give out: each is asked for again when no other is left, as often as a task waits, and
// then fails alone, unless the service gives out nothing at all.
import { type Connector, type Source, SourceRefused, SourceUnavailable } from "../connectors/connector.ts";
import { quoted } from "../parsers/document.ts";
import { connectorContext, type StepContext } from "./context.ts";
import { DocumentProblem } from "./document-problem.ts";
import type { DocumentRow } from "./documents.ts";

/** Less than the attempts of a task: a single document never uses them up. */
const mostFetches = 4;
/** In a row, without another that came: then the task waits rather than asks for them all. */
const mostInARow = 5;

/** A service failed to give a document out, and asks for no time. */
export class FetchFailed extends SourceUnavailable {
  constructor(
    cause: SourceUnavailable,
    readonly source: Source,
    readonly connector: Connector,
  ) {
    super(cause.message, undefined, { cause });
  }
}

export class Asides {
  readonly #context: StepContext;
  readonly #answering = new Set<string>();
  #latest: FetchFailed | undefined;
  #inARow = 0;

  constructor(context: StepContext) {
    this.#context = context;
  }

  /** Another document came: its source answers. */
  noteFetched({ sourceId }: DocumentRow): void {
    this.#answering.add(sourceId);
    this.#inARow = 0;
  }

  /**
   * @returns why the document fails alone; undefined where it stays in hand, and is asked for again in a later turn
   * @throws FetchFailed where the source seems to give out nothing at all
   */
  async take(row: DocumentRow, failure: FetchFailed): Promise<DocumentProblem | undefined> {
    const fetches = (row.structure?.fetches ?? 0) + 1;
    if (fetches >= mostFetches) {
      await this.#expectAnswer(failure);
      return new DocumentProblem(
        `${quoted(row.title)} could not be fetched. ${failure.message} The next sync tries again.`,
        { cause: failure },
      );
    }
    await this.#context.claim.write(async (tx) => {
      await tx`
        update public.documents
           set structure = coalesce(structure, '{"spans":[],"warnings":[]}') || jsonb_build_object('fetches', ${fetches}::int)
         where id = ${row.id}`;
    });
    this.#latest = failure;
    this.#inARow++;
    if (this.#inARow >= mostInARow) throw failure;
    return undefined;
  }

  /** With no other document left. @throws FetchFailed: the task waits for those that were put aside */
  end(): void {
    if (this.#latest) throw this.#latest;
  }

  /** @throws FetchFailed where the service does not even begin to list what it has */
  async #expectAnswer(failure: FetchFailed): Promise<void> {
    const { source, connector } = failure;
    if (this.#answering.has(source.id)) return;
    try {
      await connector.list(connectorContext(this.#context, source), {});
    } catch (error) {
      this.#context.claim.signal.throwIfAborted();
      throw error instanceof SourceRefused ? error : failure;
    }
    this.#answering.add(source.id);
    this.#inARow = 0;
  }
}
