// Reads files of the default branch, issues and discussions of GitHub repositories. Read-only. Finds changes by comparing commits
// and by the last change of a thread, and deletions by listing everything.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  ItemGone,
  ItemUnreadable,
  type PreviewLine,
  SourceRefused,
} from "../connector.ts";
import { revisionOf } from "../markup.ts";
import { type Github, githubOf } from "./api.ts";
import { attachmentOfId, findAttachments } from "./attachments.ts";
import { contents, declaration, type GithubContent } from "./declaration.ts";
import { itemOf, listPage } from "./listing.ts";
import {
  fileContent,
  isDocument,
  isLfsPointer,
  isText,
  parseThread,
  partsOfId,
  sizeProblem,
} from "./transform.ts";

/** Some calls each while a person waits. */
const mostPreviewed = 10;

export const github: Connector = {
  declaration,

  list: (context, position) => listPage(githubOf(context), position),

  async fetch(context, externalId) {
    const api = githubOf(context);
    const attached = attachmentOfId(externalId);
    const parts = partsOfId(attached?.thread ?? externalId);
    const repository = api.config.repositories.find((name) => name.toLowerCase() === parts?.repository);
    if (!parts || !repository || !api.config.content.includes(parts.kind))
      throw new ItemGone("the source does not read this");
    if (parts.kind === "files") return await fetchFile(api, repository, partsOfId(externalId)?.name ?? "");
    const thread = await readThread(api, repository.toLowerCase(), parts.kind, parts.name);
    if (attached) return await fetchAttached(api, thread, attached.key);
    const { text, revision, note } = thread;
    return { text, revision, ...(note ? { note } : {}) };
  },

  async preview(context: ConnectorContext): Promise<PreviewLine[]> {
    const api = githubOf(context);
    const { repositories, content } = api.config;
    const lines: PreviewLine[] = [];
    for (const name of repositories.slice(0, mostPreviewed))
      for (const kind of contents.filter((one) => content.includes(one)))
        lines.push(await previewLine(api, name, kind));
    return lines;
  },
};

async function fetchFile(api: Github, repository: string, path: string) {
  if (!isDocument(path, api.config)) throw new ItemGone("the source does not read this path");
  const { sha, text, bytes: size, isBinary, changedAt, repository: name } = await api.file(repository, path);
  const problem = sizeProblem(path, size);
  if (problem) throw new ItemUnreadable(problem);
  const change = { revision: revisionOf(sha), ...(changedAt ? { changedAt } : {}) };
  if (!isText(path)) {
    const bytes = await api.blob(name, sha);
    if (isLfsPointer(new TextDecoder().decode(bytes.subarray(0, 1024)))) throw new ItemUnreadable(inLfs);
    return { ...change, bytes, name: path.split("/").at(-1) ?? path };
  }
  if (isBinary) throw new ItemUnreadable(sentenceOf("githubBinary"));
  const raw = text ?? new TextDecoder().decode(await api.blob(name, sha));
  if (isLfsPointer(raw)) throw new ItemUnreadable(inLfs);
  const { text: content, note } = fileContent(path, raw, changedAt);
  return { ...change, text: content, ...(note ? { note } : {}) };
}

const inLfs = sentenceOf("githubLfs");

async function readThread(
  api: Github,
  repository: string,
  kind: Exclude<GithubContent, "files">,
  name: string,
) {
  if (!/^[1-9]\d{0,8}$/.test(name)) throw new ItemGone("this is not a thread's number");
  const found = parseThread(await api.thread(kind, repository, Number(name)));
  if (!found) throw new ItemUnreadable(sentenceOf("githubForm"));
  return await itemOf(api, kind, repository, found);
}

/** Fetches only files that the thread's text names, whatever the id says, and without credentials. */
async function fetchAttached(api: Github, thread: Parameters<typeof findAttachments>[0], key: string) {
  const found = findAttachments(thread).find((one) => one.key === key);
  if (!found) throw new ItemGone("the thread has no such file");
  const bytes = await api.downloadAttachment(found.url);
  return { bytes, name: found.name, revision: revisionOf(found.url.href) };
}

async function previewLine(api: Github, name: string, kind: GithubContent): Promise<PreviewLine> {
  try {
    if (kind !== "files") return { kind, name, count: await api.count(kind, name) };
    const head = await api.head(name);
    if (!head) return { kind, name, count: 0 };
    const { tree, truncated } = await api.tree(head.name, head.tree, true);
    const count = tree.filter(({ path, type }) => type === "blob" && isDocument(path, api.config)).length;
    return truncated ? { kind, name } : { kind, name, count };
  } catch (error) {
    // A missing repository says nothing about the others; an invalid token does.
    if (!(error instanceof SourceRefused) || error.field === "credentials") throw error;
    return { kind, name, problem: error.message };
  }
}
