// The client for GitHub's APIs: GraphQL for repositories, issues, discussions and files, REST for trees and comparisons, which
// GraphQL lacks. Knows nothing of documents.
import type { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type ConnectorContext,
  hasFailed,
  ItemGone,
  ItemUnreadable,
  SourceUnavailable,
} from "../connector.ts";
import { requestBytes, requestLinkedFile } from "../http.ts";
import { mostFileBytes } from "../readable.ts";
import * as answers from "./answers.ts";
import { callsOf } from "./calls.ts";
import type { GithubConfig, GithubContent } from "./declaration.ts";
import { missing } from "./limits.ts";
import * as queries from "./queries.ts";

/** Git's mode of a symbolic link, a number in GraphQL. */
const symbolicLink = 0o120000;

export type ThreadKind = Exclude<GithubContent, "files">;

/** The head of a repository's default branch. */
export interface Head {
  branch: string;
  commit: string;
  tree: string;
  /** The repository's URL for people. */
  url: string;
  /** The repository's current name. */
  name: string;
}
interface FileAtHead {
  /** The repository's current name. */
  repository: string;
  sha: string;
  bytes: number;
  /** Absent when the file is not text, or too large for this response. */
  text?: string;
  isBinary: boolean;
  changedAt?: string;
}
interface ThreadPage {
  /** Unvalidated. */
  threads: unknown[];
  next?: string;
  /** By GitHub's clock. */
  askedAt?: string;
}

export interface Github {
  config: GithubConfig;
  /** Undefined in a repository without a commit. @throws SourceRefused when there is no such repository */
  head(repository: string): Promise<Head | undefined>;
  tree(repository: string, sha: string, isRecursive: boolean): Promise<z.infer<typeof answers.tree>>;
  /** Undefined when GitHub cannot compare: the first commit no longer exists, or too much has changed. */
  compare(repository: string, from: string, to: string): Promise<answers.Comparison | undefined>;
  /** @throws ItemGone */
  file(repository: string, path: string): Promise<FileAtHead>;
  /** A file by its hash. @throws ItemGone, ItemUnreadable when it is too large */
  blob(repository: string, sha: string): Promise<Uint8Array>;
  /** An attachment of a thread, fetched without credentials. @throws ItemUnreadable */
  downloadAttachment(url: URL): Promise<Uint8Array>;
  threads(kind: ThreadKind, repository: string, at: { after?: string; since?: string }): Promise<ThreadPage>;
  /** @throws ItemGone */
  thread(kind: ThreadKind, repository: string, number: number): Promise<unknown>;
  /** The next page of comments or replies after those in the thread's response. */
  more(
    kind: ThreadKind | "replies",
    repository: string,
    id: string,
    after: string,
  ): Promise<answers.Connection>;
  count(kind: ThreadKind, repository: string): Promise<number>;
}

/** @throws SourceRefused for invalid settings */
export function githubOf(context: ConnectorContext): Github {
  const { config, service, addressOf, explainOf, rest, graph } = callsOf(context);
  return {
    config,
    async head(repository) {
      const about = { repository, what: "files" };
      const asked = graph(
        queries.repository,
        about,
        inRepository(repository),
        answers.repository,
        ({ repository: { defaultBranchRef } }) => defaultBranchRef !== null,
      );
      const { url, nameWithOwner, defaultBranchRef } = (await asked).data.repository;
      if (!defaultBranchRef) return undefined;
      const { name: branch, target } = defaultBranchRef;
      const name = nameWithOwner ?? repository;
      return { branch, commit: target.oid, tree: target.tree.oid, url, name };
    },
    async tree(repository, sha, isRecursive) {
      const path = `git/trees/${sha}${isRecursive ? "?recursive=1" : ""}`;
      // A missing tree means that the token may not read it, not that everything was deleted.
      const found = await rest(repository, path, answers.tree).catch(ignoreGone);
      if (!found) throw missing(repository);
      return found;
    },
    compare: (repository, from, to) =>
      rest(repository, `compare/${from}...${to}?per_page=1`, answers.comparison).catch((error) => {
        // GitHub refuses or keeps failing comparisons that take too long: the full tree has the same information.
        return hasFailed(error) ? undefined : ignoreGone(error);
      }),
    async file(repository, path) {
      const variables = { ...inRepository(repository), at: `HEAD:${path}`, path };
      const about = { repository, what: "files" };
      const isThere = ({ repository: { object } }: z.infer<typeof answers.file>) => object !== null;
      const { data } = await graph(queries.file, about, variables, answers.file, isThere);
      const { object, defaultBranchRef, nameWithOwner } = data.repository;
      if (!object?.oid) throw new ItemGone("there is no such file");
      // A comparison lists it like a file, and its text is the path that it leads to.
      if (defaultBranchRef?.target.file?.mode === symbolicLink) throw new ItemGone("this is a symbolic link");
      const [change] = defaultBranchRef?.target.history?.nodes ?? [];
      const isWhole = !object.isTruncated && typeof object.text === "string";
      return {
        repository: nameWithOwner ?? repository,
        sha: object.oid,
        bytes: object.byteSize ?? 0,
        isBinary: object.isBinary === true,
        ...(isWhole ? { text: object.text ?? "" } : {}),
        ...(change ? { changedAt: change.committedDate } : {}),
      };
    },
    blob: (repository, sha) =>
      requestBytes(service, addressOf(repository, `git/blobs/${sha}`), {
        maxBytes: mostFileBytes,
        accept: "application/vnd.github.raw+json",
        explain: explainOf(repository),
      }),
    downloadAttachment: (url) =>
      requestLinkedFile(service.signal, url, mostFileBytes).catch((error) => {
        if (!(error instanceof ItemUnreadable && error.cause instanceof ItemGone)) throw error;
        throw new ItemUnreadable(sentenceOf("githubPrivateFile"), { cause: error });
      }),
    async threads(kind, repository, { after, since }) {
      const isByTime = kind === "issues" && since !== undefined;
      const query = queries.threads[kind][since === undefined ? "all" : "changed"];
      const about = { repository, what: kind };
      const [most, fewer, least] = queries.perPage[kind];
      const ask = (first: number, isBare = false) =>
        graph(
          isBare ? queries.bare(query) : query,
          about,
          { ...inRepository(repository), first: first || least, after, ...(isByTime ? { since } : {}) },
          answers.threads,
        );
      const orFewer = (first: number) => (error: unknown) => {
        if (hasFailed(error)) return ask(first, first === 0);
        throw error;
      };
      // The last attempt requests threads without comments, so that the failing one fails alone.
      const { data, askedAt } = await ask(most).catch(orFewer(fewer)).catch(orFewer(least)).catch(orFewer(0));
      const { page } = data.repository;
      const next = nextOf(page);
      return { threads: page.nodes, ...(next ? { next } : {}), ...(askedAt ? { askedAt } : {}) };
    },
    async thread(kind, repository, number) {
      const variables = { ...inRepository(repository), number };
      const about = { repository, what: kind };
      const isThere = ({ repository: { thread } }: z.infer<typeof answers.oneThread>) => !!thread;
      const { data } = await graph(queries.threads[kind].one, about, variables, answers.oneThread, isThere);
      if (!data.repository.thread) throw new ItemGone("there is no such thread");
      return data.repository.thread;
    },
    async more(kind, repository, id, after) {
      const about = { repository, what: kind === "replies" ? "discussions" : kind };
      const asked = graph(queries.more[kind], about, { id, after }, answers.morePage);
      // Deleted since its first page.
      return (
        (await asked.catch(ignoreGone))?.data.node.page ?? { nodes: [], pageInfo: { hasNextPage: false } }
      );
    },
    async count(kind, repository) {
      const about = { repository, what: kind };
      const query = queries.threads[kind].count;
      return (await graph(query, about, inRepository(repository), answers.count)).data.repository.counted
        .totalCount;
    },
  };
}

function inRepository(repository: string) {
  const [owner, name] = repository.split("/");
  return { owner, name };
}

function ignoreGone(error: unknown): undefined {
  if (error instanceof ItemGone) return undefined;
  throw error;
}

/** The cursor of a connection's next page. @throws SourceUnavailable when there is a next page without a cursor */
export function nextOf({ pageInfo }: answers.Connection): string | undefined {
  if (!pageInfo.hasNextPage) return undefined;
  if (pageInfo.endCursor) return pageInfo.endCursor;
  throw new SourceUnavailable(sentenceOf("illegible", { service: "GitHub" }));
}
