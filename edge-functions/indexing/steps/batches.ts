// Reads a task's documents and cuts them into passages, in batches that are built together. Where the machine allows it, the next
// batch is prepared while the database writes.
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

/** Maximum passages per transaction. The embedded Postgres serves nobody else during it. */
const passagesTogether = 96;

/** The wait when another worker holds the last documents of the task. */
const busySeconds = 3;

/** The passages of a short document in one knowledge base. */
export interface Cut {
  document: DocumentRow;
  knowledge: KnowledgeRow;
  passages: Passage[];
  tables: StoredTable[];
}

/** A document that is read and, if it is short, cut for each of its indexes. */
export interface Prepared {
  document: DocumentRow;
  /** The text to store first. */
  read?: ReadDocument | undefined;
  /** Undefined for a long text: cutting it is a step of its own. */
  cuts: Cut[] | undefined;
  /** The text was not read now, and its detected language differs from the stored one. */
  isInOtherLanguage?: boolean;
  /** Why the document cannot be indexed. */
  problem?: unknown;
}

export interface Batch {
  documents: Prepared[];
  /** The error that ended the batch early. Thrown once its documents are built. */
  ended?: unknown;
}

export class Batches {
  readonly #context: StepContext;
  readonly #queue: DocumentQueue;
  /** True when a failure is the document's own. */
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
   * The next batch; undefined when nothing is left to do. Prepares the following batch in the background: anything prepared but not
   * built when the task is put down is read again.
   * @throws PutDown while other workers hold the rest; FetchFailed when only deferred documents are left; an error that is no
   * document's own
   */
  async next(): Promise<Batch | undefined> {
    const ahead = await this.#ahead;
    this.#ahead = undefined;
    // The batch prepared ahead may be empty only because the previous batch still held the last documents.
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

  /** Undefined for a deferred document. */
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
 * True when workers died while reading this document. It is then read alone, after the others are stored, so that they are not lost
 * with it.
 */
const hasDeaths = ({ structure }: DocumentRow): boolean => (structure?.reads ?? 0) > 0;

/** The number of a document's passages over all its indexes. */
function passagesIn({ cuts }: Prepared): number {
  return cuts ? cuts.reduce((sum, { passages }) => sum + passages.length, 0) : Number.POSITIVE_INFINITY;
}

/** True for a document too large to share a batch: it gets its own. */
export const isLong = (prepared: Prepared): boolean => passagesIn(prepared) > passagesTogether;
