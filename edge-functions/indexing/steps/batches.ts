// Reads a task's documents and cuts them, as many at a time as are built together, and where the machine allows it the next ones
// while the database writes.
import { languageOfText } from "../document-language.ts";
import { ParseError } from "../parsers/document.ts";
import { Asides, FetchFailed } from "./asides.ts";
import { PutDown, type StepContext } from "./context.ts";
import type { DocumentQueue, DocumentRow } from "./documents.ts";
import type { KnowledgeRow } from "./generation.ts";
import { fewChars, type Passage, passagesOf } from "./passages.ts";
import { type ReadDocument, readDocument } from "./read.ts";
import { buildsIndexes } from "./scope.ts";
import { type StoredTable, storedTables } from "./tables.ts";

/**
 * Passages that are written in one transaction. The embedded Postgres serves nobody else meanwhile.
 */
const passagesTogether = 96;

/** How long a worker waits for another one that holds the last documents of its task. */
const busySeconds = 3;

/** A short document's passages in one knowledge. */
export interface Cut {
  document: DocumentRow;
  knowledge: KnowledgeRow;
  passages: Passage[];
  tables: StoredTable[];
}

/** A document that is read and, where it is short, cut for each of its indexes. */
export interface Prepared {
  document: DocumentRow;
  /** What is to be stored of it first. */
  read?: ReadDocument;
  /** None of a text so long that cutting it is a step of its own. */
  cuts: Cut[] | undefined;
  /** Its text was not read now, and is in another language than is stored. */
  isInOtherLanguage?: boolean;
  /** Why it cannot be indexed. */
  problem?: unknown;
}

export interface Batch {
  documents: Prepared[];
  /** Why no more are in it: thrown once these are done. */
  ended?: unknown;
}

export class Batches {
  readonly #context: StepContext;
  readonly #queue: DocumentQueue;
  /** Whether a failure is the document's own. */
  readonly #isItsOwn: (error: unknown) => boolean;
  readonly #asides: Asides;
  #carried: Prepared | undefined;
  #suspect: DocumentRow | undefined;
  #ahead: Promise<Batch> | undefined;

  constructor(context: StepContext, queue: DocumentQueue, isItsOwn: (error: unknown) => boolean) {
    this.#context = context;
    this.#queue = queue;
    this.#asides = new Asides(context);
    this.#isItsOwn = isItsOwn;
  }

  /**
   * Undefined when nothing is left to do. The batch after it is prepared meanwhile; what is read of it by the time the task is put
   * down is read again.
   * @throws PutDown while other workers hold what is left; FetchFailed where all that is left was put aside; what is no document's fault
   */
  async next(): Promise<Batch | undefined> {
    const ahead = await this.#ahead;
    this.#ahead = undefined;
    // Ahead, the queue may have been empty only because the batch before was not done.
    const isOfUse = ahead && (ahead.documents.length > 0 || ahead.ended !== undefined);
    const batch = isOfUse ? ahead : await this.#prepare();
    if (batch.documents.length === 0) {
      if (batch.ended) throw batch.ended;
      this.#asides.end();
      if (await this.#queue.isAnyLeft()) throw new PutDown(busySeconds);
      return undefined;
    }
    const { turn } = this.#context;
    if (turn.worksAhead && !turn.isOver() && !batch.ended) this.#ahead = this.#prepare();
    this.#ahead?.catch(() => {});
    return batch;
  }

  async #prepare(): Promise<Batch> {
    const batch: Batch = { documents: [] };
    let room = passagesTogether;
    try {
      while (room > 0) {
        const row = this.#carried ? undefined : await this.#nextRow();
        if (row && hasDeaths(row) && batch.documents.length > 0) {
          this.#suspect = row;
          break;
        }
        if (!row && !this.#carried) break;
        const prepared = this.#carried ?? (row && (await this.#prepareOne(row)));
        this.#carried = undefined;
        if (!prepared) continue;
        const size = passagesIn(prepared);
        if (size > room && batch.documents.length > 0) {
          this.#carried = prepared;
          break;
        }
        batch.documents.push(prepared);
        if (row && hasDeaths(row)) break;
        room -= Math.max(size, 1);
      }
    } catch (error) {
      batch.ended = error;
    }
    return batch;
  }

  async #nextRow(): Promise<DocumentRow | undefined> {
    this.#context.claim.signal.throwIfAborted();
    const row = this.#suspect ?? (await this.#queue.next());
    this.#suspect = undefined;
    return row;
  }

  /** Undefined for a document that is put aside. */
  async #prepareOne(row: DocumentRow): Promise<Prepared | undefined> {
    try {
      const prepared = await prepare(this.#context, row);
      if (prepared.read) this.#asides.noteFetched(row);
      return prepared;
    } catch (error) {
      const problem = error instanceof FetchFailed ? await this.#asides.take(row, error) : error;
      if (problem === undefined) return undefined;
      if (!this.#isItsOwn(problem)) throw problem;
      return { document: row, cuts: [], problem };
    }
  }
}

async function prepare(context: StepContext, row: DocumentRow): Promise<Prepared> {
  const read = row.isUnread ? await readDocument(context, row) : undefined;
  const detectedLanguage = read ? read.language : await languageOfText(row.content ?? "");
  const document: DocumentRow = read
    ? { ...row, content: read.content, structure: read.structure, detectedLanguage, isUnread: false }
    : { ...row, detectedLanguage };
  const isInOtherLanguage = !read && detectedLanguage !== row.detectedLanguage;
  const { content } = document;
  if (content === null && buildsIndexes(context.claim.task)) throw new ParseError("empty", row.title);
  if (!content || content.length > fewChars)
    return { document, read, isInOtherLanguage, cuts: content ? undefined : [] };
  const cuts = await context.turn.compute(() => {
    const tables = document.builds.length > 0 ? storedTables(document) : [];
    return document.builds.map((knowledge) => ({
      document,
      knowledge,
      passages: passagesOf(document, knowledge),
      tables,
    }));
  });
  return { document, read, isInOtherLanguage, cuts };
}

/**
 * Whether workers died while this document was among those that they were reading. It is read alone from then on, after the others
 * are stored: they are not to be given up for it.
 */
const hasDeaths = ({ structure }: DocumentRow): boolean => (structure?.reads ?? 0) > 0;

/** How many passages a document has in all its indexes. */
function passagesIn({ cuts }: Prepared): number {
  return cuts ? cuts.reduce((sum, { passages }) => sum + passages.length, 0) : Number.POSITIVE_INFINITY;
}

/** Whether a document is more than is built together: it is then in a batch of its own. */
export const isLong = (prepared: Prepared): boolean => passagesIn(prepared) > passagesTogether;
