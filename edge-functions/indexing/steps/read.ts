// Reads one document from its source into text and structure, and stores both.
import {
  type Fetched,
  ItemGone,
  ItemUnreadable,
  SourceRefused,
  SourceUnavailable,
} from "../connectors/connector.ts";
import { connectorFor } from "../connectors/registry.ts";
import { contentHash } from "../embedding.ts";
import { parseGuarded } from "../parse-guarded.ts";
import { type ParsedDocument, ParseError, quoted } from "../parsers/document.ts";
import { markdownStructure } from "../parsers/markdown-structure.ts";
import { normalised } from "../parsers/text-builder.ts";
import type { StepContext } from "./context.ts";
import { DocumentProblem } from "./document-problem.ts";
import type { DocumentRow, StoredStructure } from "./documents.ts";
import { indexesToBuild } from "./generation.ts";
import { connectorContext } from "./listing.ts";
import { parseBySlices } from "./pages.ts";
import { wantedSignature } from "./scope.ts";

/** The longest that one document may take to come from its source. */
const fetchMs = 60_000;

/**
 * @returns the row with its text
 * @throws ParseError, DocumentProblem: this document alone fails; SourceUnavailable: the task waits
 */
export async function readDocument(context: StepContext, document: DocumentRow): Promise<DocumentRow> {
  const { claim, turn } = context;
  claim.report({ code: "reading", params: { title: document.title } });
  const fetched = await fetchItem(context, document);
  const parsed =
    "text" in fetched
      ? fromText(fetched.text)
      : ((await turn.compute(() => parseGuarded(fetched, claim.signal))) ??
        (await parseBySlices(context, document, fetched.revision, fetched)));
  if (parsed.text.trim() === "") throw new ParseError("empty", document.title);
  const structure = storedStructure(parsed);
  const builds = await claim.achieve(async (tx) => {
    await tx`
      update public.documents
         set content = ${parsed.text}, structure = ${JSON.stringify(structure)}::text::jsonb,
             content_hash = ${fetched.revision}, error = null
       where id = ${document.id}`;
    await tx`
      with read as (delete from private.document_pieces where document_id = ${document.id})
      update public.document_indexes i set status = 'stale'
        from public.documents d, public.knowledges k
       where d.id = ${document.id} and i.document_id = d.id and k.id = i.knowledge_id
         and i.status = 'ready' and i.signature is distinct from ${wantedSignature(tx)}`;
    return await indexesToBuild(tx, claim.task, document.id);
  });
  return { ...document, content: parsed.text, structure, isUnread: false, builds };
}

async function fetchItem(context: StepContext, document: DocumentRow): Promise<Fetched> {
  const source = await context.source(document.sourceId);
  // By the source's type, whose settings were checked: a document's is a label that whoever may add one writes.
  const connector = source && connectorFor(source.type);
  if (!connector) throw new DocumentProblem(`${quoted(document.title)} has no source to be read from.`);
  try {
    return await inTime(
      connector.fetch(connectorContext(context, source), document.externalId),
      context.claim.signal,
    );
  } catch (error) {
    if (error instanceof SourceRefused) {
      await context.claim.write(async (tx) => {
        await tx`update public.sources set error = ${error.message} where id = ${source.id}`;
      });
    }
    if (error instanceof ItemUnreadable)
      throw new DocumentProblem(`${quoted(document.title)} cannot be read: ${error.message}`, {
        cause: error,
      });
    if (!(error instanceof ItemGone)) throw error;
    throw new DocumentProblem(`${quoted(document.title)} is no longer at its source.`, { cause: error });
  }
}

/** A source that falls silent must not hold the worker: its heartbeat would keep the task from everybody else. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const silent = () => reject(new SourceUnavailable("The source did not answer in time."));
    const timer = setTimeout(silent, fetchMs);
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
  });
}

/** What is kept of a parsed document besides its text. */
export function storedStructure({ title, text, structure, warnings }: ParsedDocument): StoredStructure {
  return { ...(title ? { title } : {}), textHash: contentHash(text), spans: structure, warnings };
}

/** Text that came as such, in Markdown or plain. */
export function fromText(text: string): ParsedDocument {
  const clean = normalised(text);
  return { text: clean, structure: markdownStructure(clean), warnings: [] };
}
