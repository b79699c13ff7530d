// Owns documents that their service fails to deliver: each is fetched again after all others, up to `mostFetches` times, and then
// fails alone, unless the service delivers nothing at all.
import { sentenceOf } from "../../_shared/text/sentences.ts";
import {
  type Connector,
  type RequestRefused,
  type Source,
  SourceRefused,
  SourceUnavailable,
} from "../connectors/connector.ts";
import { quoteName } from "../parsers/document.ts";
import { connectorContext, type StepContext } from "./context.ts";
import { DocumentProblem } from "./document-problem.ts";
import type { DocumentRow } from "./documents.ts";

/** Below a task's maximum attempts, so that one document never uses them up. */
const mostFetches = 4;
/** Consecutive failures without a success, after which the task waits instead of trying every document. */
const mostInARow = 5;

/** A service failed to deliver a document and sent no Retry-After. */
export class FetchFailed extends SourceUnavailable {
  constructor(
    cause: SourceUnavailable | RequestRefused,
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

  /** A document arrived, so its source works. */
  noteFetched({ sourceId }: DocumentRow): void {
    this.#answering.add(sourceId);
    this.#inARow = 0;
  }

  /**
   * @returns why the document fails alone; undefined when it stays claimed and is fetched again in a later turn
   * @throws FetchFailed when the source seems to deliver nothing at all
   */
  async take(row: DocumentRow, failure: FetchFailed): Promise<DocumentProblem | undefined> {
    const fetches = (row.structure?.fetches ?? 0) + 1;
    if (fetches >= mostFetches) {
      await this.#expectAnswer(failure);
      return new DocumentProblem(
        sentenceOf("documentUnfetched", { document: quoteName(row.title), reason: failure.message }),
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

  /** Call when no other document is left. @throws FetchFailed: the task waits for the deferred documents */
  end(): void {
    if (this.#latest) throw this.#latest;
  }

  /** @throws FetchFailed when the service cannot even start to list its documents */
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
