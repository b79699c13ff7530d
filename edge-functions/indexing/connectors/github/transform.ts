// Converts a thread or a file of GitHub to an item, and decides which files are documents. Pure.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { readableMarkdown } from "../../parsers/markdown-source.ts";
import type { PageNote, SourceItem } from "../connector.ts";
import { asContent, type Content, joinBlocks, revisionOf, titleOf } from "../markup.ts";
import { mostFileBytes, tooLargeFile, unreadFile } from "../readable.ts";
import { fits } from "../website/address.ts";
import { type Comment, type Comparison, comment, type Thread, type TreeEntry, thread } from "./answers.ts";
import { findAttachments, mostAttached, tooManyAttached } from "./attachments.ts";
import { contents, type GithubConfig, type GithubContent } from "./declaration.ts";
import { markdownOfRst } from "./rst.ts";

/** A longer text is a dump rather than a document. */
const mostTextBytes = 5 * 1024 * 1024;
const tooLong = sentenceOf("githubLong");
/** The maximum length of a document's external id. */
const longestId = 512;

const externalIdOf = (repository: string, kind: GithubContent, name: string | number) =>
  `${repository.toLowerCase()}/${kind}/${name}`;

/** The repository, kind and name in an external id, or undefined. */
export function partsOfId(id: string): { repository: string; kind: GithubContent; name: string } | undefined {
  const [, repository, kind, name] = /^([^/]+\/[^/]+)\/(files|issues|discussions)\/(.+)$/s.exec(id) ?? [];
  if (!repository || !name || !contents.includes(kind as GithubContent)) return undefined;
  // Checked by the line above.
  return { repository, kind: kind as GithubContent, name };
}

/** The settings that select files. */
export type Wanted = Pick<GithubConfig, "folders" | "withPictures">;

/** Texts are converted here; the others go to the parsers as bytes, like uploaded files. */
const texts = /\.(?:md|mdx|markdown|rst|txt)$/i;
const files = /\.(?:pdf|doc[xm]|dotx|ppt[xm]|ppsx|potx|xls[xm]|xltx|o[dt][tsp]|rtf|csv|tsv|eml|epub)$/i;
const pictures = /\.(?:png|jpe?g|webp|gif)$/i;
/** Documents in formats that we do not read. Code and configuration are not documents. */
const others = /\.(?:doc|xls|ppt|pps|pages|numbers|msg|vsdx?)$/i;

export const isText = (path: string): boolean => texts.test(path);

const isBelow = (path: string, folders: readonly string[]) =>
  folders.length === 0 || folders.some((pattern) => fits(pattern, `/${path}`));

/** True for the path of a document that the source reads. */
export function isDocument(path: string, { folders, withPictures }: Wanted): boolean {
  const isRead = texts.test(path) || files.test(path) || (withPictures && pictures.test(path));
  return isRead && isBelow(path, folders);
}

/** True for the path of a document in a format that we do not read. */
const isOther = (path: string, { folders }: Wanted) => others.test(path) && isBelow(path, folders);

/** True for the path of a picture that is left out because the source does not read pictures. */
export const isLeftOutPicture = (path: string, { folders, withPictures }: Wanted): boolean =>
  !withPictures && pictures.test(path) && isBelow(path, folders);

export const picturesLeftOut = (count: number): string => sentenceOf("githubPictures", { count });

/** Why a file of this size is not read, or undefined. */
export function sizeProblem(path: string, bytes: number): string | undefined {
  if (isText(path)) return bytes > mostTextBytes ? tooLong : undefined;
  return bytes > mostFileBytes ? tooLargeFile : undefined;
}

/** True when a document to read may be below a folder. */
export function mayHold(folder: string, folders: readonly string[]): boolean {
  const path = `/${folder}/`;
  return (
    folders.length === 0 ||
    folders.some((pattern) => {
      const fixed = pattern.split("*")[0] ?? "";
      return fixed.startsWith(path) || path.startsWith(fixed);
    })
  );
}

export interface Place {
  repository: string;
  branch: string;
  url: string;
}

/** Returns a readable file of a tree as an item, or a note on why it is left out. Symbolic links and submodules are neither. */
export function fileOf(
  { path, mode, type, sha, size }: TreeEntry,
  place: Place,
  wanted: Wanted,
): { item?: SourceItem; note?: PageNote } {
  if (type !== "blob" || !mode.startsWith("100")) return {};
  const { title, ...item } = fileItem(path, sha, place);
  const address = item.url.slice(0, 500);
  if (isOther(path, wanted)) return { note: { address, title, problem: unreadFile } };
  if (!isDocument(path, wanted)) return {};
  const problem = sizeProblem(path, size ?? 0);
  if (problem) return { note: { address, title, problem } };
  if (item.externalId.length > longestId)
    return {
      note: { address, title, problem: sentenceOf("githubPath") },
    };
  return { item: { title, ...item } };
}

function fileItem(
  path: string,
  sha: string,
  { repository, branch, url }: Place,
): SourceItem & { url: string } {
  const [, name = ""] = repository.split("/");
  const address = [branch, path].map((one) => one.split("/").map(encodeURIComponent).join("/")).join("/");
  return {
    externalId: externalIdOf(repository, "files", path),
    title: titleOf(`${name}/${path}`, path),
    url: `${url}/blob/${address}`,
    revision: revisionOf(sha),
  };
}

/** True for a Git LFS pointer, whose file is stored elsewhere. Source: github.com/git-lfs/git-lfs/blob/main/docs/spec.md. */
export const isLfsPointer = (raw: string): boolean =>
  raw.length < 1024 && raw.startsWith("version https://git-lfs.github.com/spec/");

/** A file's text in Markdown, below the date of its last change. */
export function fileContent(path: string, raw: string, changedAt: string | undefined): Content {
  return asContent(joinBlocks(changedAt ? `Changed: ${day(changedAt)}` : "", markdownOf(path, raw)));
}

function markdownOf(path: string, raw: string): string {
  if (/\.rst$/i.test(path)) return markdownOfRst(raw);
  if (/\.txt$/i.test(path)) return raw;
  const { title, text } = readableMarkdown(raw);
  return /^# /m.test(text) || !title ? text : `# ${title}\n\n${text}`;
}

/** The changes between two commits; undefined when only the full tree can tell them. */
export function changesOf(
  { status, files: changed }: Comparison,
  place: Place,
  wanted: Wanted,
): { items: SourceItem[]; gone: string[]; notes: PageNote[] } | undefined {
  // GitHub returns 300 files at most, and compares a rewritten branch with the point where it diverged.
  if ((status !== "ahead" && status !== "identical") || (changed?.length ?? 0) >= 300) return undefined;
  const items: SourceItem[] = [];
  const gone: string[] = [];
  const notes: PageNote[] = [];
  for (const { filename, status: how, sha, previous_filename: before } of changed ?? []) {
    const left = how === "removed" ? filename : how === "renamed" ? before : undefined;
    if (left && isDocument(left, wanted)) gone.push(externalIdOf(place.repository, "files", left));
    // Clears the note on a path that no longer exists.
    if (left && isOther(left, wanted)) notes.push({ address: fileItem(left, "", place).url.slice(0, 500) });
    if (how === "removed") continue;
    if (isOther(filename, wanted)) {
      const { url, title } = fileItem(filename, "", place);
      notes.push({ address: url.slice(0, 500), title, problem: unreadFile });
    }
    if (!isDocument(filename, wanted)) continue;
    if (!sha) return undefined;
    const item = fileItem(filename, sha, place);
    // The listing of the full tree explains why it is left out.
    if (item.externalId.length > longestId) return undefined;
    items.push(item);
  }
  return { items, gone, notes };
}

export function parseThread(raw: unknown): Thread | undefined {
  return thread.safeParse(raw).data;
}

/** An item for a malformed thread, so that it fails alone. Undefined without even a number. */
export function damagedItem(
  repository: string,
  kind: Exclude<GithubContent, "files">,
  raw: unknown,
): SourceItem | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const { number, title, url } = raw as Record<string, unknown>;
  const [, name = ""] = repository.split("/");
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 1) return undefined;
  return {
    externalId: externalIdOf(repository, kind, number),
    title: titleOf(`${name}#${number} ${typeof title === "string" ? title : ""}`, `${name}#${number}`),
    ...(typeof url === "string" ? { url } : {}),
    revision: revisionOf(JSON.stringify(raw)),
  };
}

/** Stands for the comments after the last one read. */
export const furtherComments = { body: "(Further comments are not read.)" };
const notAll = sentenceOf("githubComments");
/** GitHub may omit parts of a response. */
const lostComment = "(A comment could not be read.)";
export const notGiven = sentenceOf("githubCommentsLost");

/** @param replies all replies to each comment, in the order of the comments */
export function threadItem(
  repository: string,
  kind: Exclude<GithubContent, "files">,
  found: Thread,
  comments: { said: unknown; replies: unknown[] }[],
): SourceItem & { text: string } {
  const [, name = ""] = repository.split("/");
  const { number, title, state, author, category, labels, createdAt, updatedAt, url } = found;
  const facts = [
    ["Repository", repository],
    ["State", state?.toLowerCase()],
    ["Category", category?.name],
    ["Labels", labels?.nodes?.flatMap((label) => label?.name ?? []).join(", ")],
    ["Author", author?.login],
    ["Created", day(createdAt)],
    ["Changed", day(updatedAt)],
  ].flatMap(([fact, value]) => (value ? [`${fact}: ${value}`] : []));
  const all = comments.flatMap((one) => [one.said, ...one.replies]);
  const isCut = all.includes(furtherComments);
  const isLacking = all.some((one) => !comment.safeParse(one).success);
  const said = comments.flatMap((one) => {
    const first = comment.safeParse(one.said).data;
    if (first?.isMinimized) return [];
    const replies = one.replies.map((raw) => comment.safeParse(raw).data);
    return [first, ...replies]
      .filter((said) => !said?.isMinimized)
      .map((said) => (said ? commentText(said) : lostComment));
  });
  const heading = `${name}#${number} ${title}`;
  const content = joinBlocks(
    `# ${heading}`,
    facts.join("\n"),
    found.body ?? "",
    said.some((text) => text !== "") ? "## Comments" : "",
    ...said,
  );
  const item = {
    externalId: externalIdOf(repository, kind, number),
    title: titleOf(heading, `${name}#${number}`),
    url,
    changedAt: updatedAt,
    ...asContent(content),
  };
  if (isCut) return { ...item, note: notAll };
  if (isLacking) return { ...item, note: notGiven };
  return findAttachments(item).length > mostAttached ? { ...item, note: tooManyAttached } : item;
}

function commentText({ author, body, createdAt, isAnswer }: Comment): string {
  const text = body.trim();
  if (text === "") return "";
  const head = [author?.login, day(createdAt), isAnswer ? "accepted answer" : ""].filter(Boolean).join(", ");
  return head ? `${head}:\n\n${text}` : text;
}

const day = (moment: string | null | undefined) => moment?.slice(0, 10);
