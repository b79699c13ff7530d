// Reads documents from their sources into text and structure, and stores both.
import type { Transaction } from "../../_shared/database/db.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import {
  type Fetched,
  hasFailed,
  ItemGone,
  ItemUnreadable,
  SourceRefused,
  SourceUnavailable,
} from "../connectors/connector.ts";
import { connectorFor } from "../connectors/registry.ts";
import { languageOfText } from "../document-language.ts";
import { contentHash } from "../embedding.ts";
import { parseGuarded } from "../parse-guarded.ts";
import { type ParsedDocument, ParseError, quoteName } from "../parsers/document.ts";
import { markdownStructure } from "../parsers/markdown-structure.ts";
import { normalizeText } from "../parsers/text-builder.ts";
import { FetchFailed } from "./asides.ts";
import type { Prepared } from "./batches.ts";
import { connectorContext, type StepContext } from "./context.ts";
import { DocumentGone, DocumentProblem } from "./document-problem.ts";
import type { DocumentRow, StoredStructure } from "./documents.ts";
import { parseBySlices } from "./pages.ts";
import { parseWithPictures } from "./pictures.ts";
import { fileId, unread, wantedSignature } from "./scope.ts";

/** Stored with each text that a parser read. Increment it when a change of a parser has to reach files that were read before. */
export const readerVersion = 5;

/** In place of an index's signature, which no text has. */
const ofAnotherText = "of another text";

/** The timeout for fetching one document. */
const fetchMs = 60_000;

/** The text of a document, and the revision that it was read from. */
export interface ReadDocument {
  id: string;
  content: string;
  structure: StoredStructure;
  /** What could not be read, and what to do. */
  note: string | null;
  revision: string;
  /** The detected language, if any. */
  language: string | null;
  /** When the source last changed the document, if that is known only after reading. */
  changedAt?: string;
}

/** @throws ParseError, DocumentProblem: this document alone fails; SourceUnavailable: the task waits */
export async function readDocument(context: StepContext, document: DocumentRow): Promise<ReadDocument> {
  const { claim, turn } = context;
  claim.report({ code: "reading", params: { title: document.title } });
  const fetched = await fetchItem(context, document);
  const { parsed, note } =
    "text" in fetched
      ? { parsed: fromText(fetched.text), note: fetched.note ?? null }
      : await parseWithPictures(
          context,
          document,
          fetched,
          async (input) =>
            (await turn.compute(() => parseGuarded(input, claim.signal))) ??
            (await parseBySlices(context, document, fetched.revision, input)),
        );
  if (parsed.text.trim() === "") throw new ParseError("empty", document.title);
  return {
    id: document.id,
    content: parsed.text,
    structure: {
      ...storedStructure(parsed),
      ...("text" in fetched ? {} : { isParsed: true, reader: readerVersion }),
    },
    note,
    revision: fetched.revision,
    language: await languageOfText(parsed.text),
    ...(fetched.changedAt ? { changedAt: fetched.changedAt } : {}),
  };
}

/** True for a file that was read but for something, such as its pictures. */
export const isPartly = ({ read }: Prepared): boolean => read !== undefined && read.note !== null;

/**
 * Stores the texts of documents that were read now, and the languages of others where those differ or are unknown: from releases without
 * detection, or after an edit. Both may put indexes out of date. The text of a file that was replaced meanwhile stays unread. Requires the
 * documents' locks, taken by an earlier statement, so that this one sees what their previous holders committed.
 * @returns the documents that are as they were prepared; of the others another worker has stored a text meanwhile, or they are gone
 */
export async function storePrepared(tx: Transaction, batch: Prepared[]): Promise<Prepared[]> {
  const read = batch.flatMap((prepared) => prepared.read ?? []);
  const inOtherLanguage = batch.flatMap((prepared) => (prepared.isInOtherLanguage ? prepared.document : []));
  const written = await storeTexts(tx, read);
  await storeLanguages(tx, inOtherLanguage);
  const stored = [...written, ...inOtherLanguage.map(({ id }) => id)];
  const outdated = batch.flatMap(({ document }) =>
    !document.isNew && stored.includes(document.id) ? document.id : [],
  );
  await outdateIndexes(tx, outdated);
  return batch.filter(({ read, document }) => !read || written.includes(document.id));
}

/**
 * Stores the texts of documents that still wait for one. An index of another text is out of date, also where the revision is the same:
 * another reader, or a model that reads pictures, makes more of one file. Requires the documents' locks.
 * @returns the ids of these documents
 */
export async function storeTexts(tx: Transaction, read: ReadDocument[]): Promise<string[]> {
  if (read.length === 0) return [];
  const ids = read.map(({ id }) => id);
  const rows = await tx<{ id: string }[]>`
    with texts as (
      select id, content, structure::jsonb as structure, revision, changed_at, note, language
        from unnest(${ids}::uuid[], ${read.map(({ content }) => content)}::text[],
                           ${read.map(({ structure }) => JSON.stringify(structure))}::text[],
                           ${read.map(({ revision }) => revision)}::text[],
                           ${read.map(({ changedAt }) => momentOf(changedAt))}::timestamptz[],
                           ${read.map(({ note }) => note)}::text[], ${read.map(({ language }) => language)}::text[])
                      as t (id, content, structure, revision, changed_at, note, language)
    ), pieces as (
      delete from private.document_pieces where document_id = any(${ids}::uuid[])
    ), unread as (
      delete from private.page_readings where document_id = any(${ids}::uuid[]) and text is null
    ), outdated as (
      update public.document_indexes i set signature = ${ofAnotherText}
        from public.documents d join texts t on t.id = d.id
       where i.document_id = d.id and i.signature is not null and ${unread(tx)}
         and (d.content, d.structure - 'reader') is distinct from (t.content, t.structure - 'reader')
    )
    update public.documents d
       set content = t.content, structure = t.structure, error = null, note = t.note, synced_at = null,
           detected_language = t.language,
           changed_at = coalesce(t.changed_at, d.changed_at),
           content_hash = case when d.type = 'file' and exists (
             select 1 from public.files f
              where f.team_id = d.team_id and f.sha256 <> t.revision and f.id = ${fileId(tx)})
             then null else t.revision end
      from texts t
     where d.id = t.id and ${unread(tx)}
    returning d.id`;
  return rows.map(({ id }) => id);
}

async function storeLanguages(tx: Transaction, documents: DocumentRow[]): Promise<void> {
  if (documents.length === 0) return;
  const ids = documents.map(({ id }) => id);
  await tx`
    update public.documents d set detected_language = t.language
      from unnest(${ids}::uuid[], ${documents.map(({ detectedLanguage }) => detectedLanguage)}::text[]) as t (id, language)
     where d.id = t.id`;
}

async function outdateIndexes(tx: Transaction, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    update public.document_indexes i set status = 'stale'
      from public.documents d, public.knowledges k
     where d.id = any(${ids}::uuid[]) and i.document_id = d.id and k.id = i.knowledge_id
       and i.status = 'ready' and i.signature is distinct from ${wantedSignature(tx)}`;
}

async function fetchItem(context: StepContext, document: DocumentRow): Promise<Fetched> {
  const source = await context.source(document.sourceId);
  // Uses the source's type, whose settings were validated: a document's own type is a label that anyone who may add one writes.
  const connector = source && connectorFor(source.type);
  if (!connector)
    throw new DocumentProblem(sentenceOf("documentSourceless", { document: quoteName(document.title) }));
  const refusal = context.refusals.get(source.id);
  if (refusal) throw problemOf(document, refusal);
  try {
    return await inTime(
      connector.fetch(connectorContext(context, source), document.externalId),
      context.claim.signal,
    );
  } catch (error) {
    if (hasFailed(error) && connector.declaration.origin === "service")
      throw new FetchFailed(error, source, connector);
    if (error instanceof SourceRefused) {
      context.refusals.set(source.id, error);
      await context.claim.write(async (tx) => {
        await tx`update public.sources set error = ${error.message} where id = ${source.id}`;
      });
      // A knowledge base's other sources are read all the same.
      if (context.claim.task.sourceId === null) throw problemOf(document, error);
    }
    if (error instanceof ItemUnreadable)
      throw new DocumentProblem(
        sentenceOf("documentUnreadable", { document: quoteName(document.title), reason: error.message }),
        {
          cause: error,
        },
      );
    if (!(error instanceof ItemGone)) throw error;
    const gone = sentenceOf("documentGone", { document: quoteName(document.title) });
    // Whoever asks for one document is told why it cannot be read.
    const isListed = connector.declaration.origin === "service" && context.claim.task.documentId === null;
    throw isListed
      ? new DocumentGone(gone, source, { cause: error })
      : new DocumentProblem(gone, { cause: error });
  }
}

const problemOf = (document: DocumentRow, cause: SourceRefused): DocumentProblem =>
  new DocumentProblem(
    sentenceOf("documentUnfetched", { document: quoteName(document.title), reason: cause.message }),
    { cause },
  );

/** A silent source must not hold the worker: its heartbeat would keep the task from all others. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const silent = () => reject(new SourceUnavailable(sentenceOf("noAnswer", { service: "The source" })));
    const timer = setTimeout(silent, fetchMs);
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
  });
}

/** What is stored of a parsed document besides its text. */
export function storedStructure({ title, text, structure, warnings }: ParsedDocument): StoredStructure {
  return { ...(title ? { title } : {}), textHash: contentHash(text), spans: structure, warnings };
}

/** Text that arrived as text, in Markdown or plain. */
export function fromText(text: string): ParsedDocument {
  const clean = normalizeText(text);
  return { text: clean, structure: markdownStructure(clean), warnings: [] };
}

/** A service's timestamp in the form that Postgres takes; null when it is invalid, before 1970 or more than a day ahead. */
export function momentOf(text: string | undefined): string | null {
  const at = Date.parse(text ?? "");
  return at > 0 && at < Date.now() + 86_400_000 ? new Date(at).toISOString() : null;
}
