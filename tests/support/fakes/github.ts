// A fake GitHub over HTTP at an Enterprise server's paths: GraphQL with cursors, null nodes with errors beside them, truncated trees,
// comparisons, rate limits in headers. Answers by the field names in the query.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { startUpstream } from "../upstream.ts";

export interface FakeThread {
  id: string;
  number: number;
  title: string;
  body: string;
  updatedAt: string;
  createdAt: string;
  comments: (FakeComment | null)[];
  [more: string]: unknown;
}
interface FakeComment {
  id: string;
  body: string;
  isMinimized?: boolean;
  isAnswer?: boolean;
  replies?: { body: string }[];
}
interface FakeRepository {
  branch: string;
  /** Path to content of a commit; binary content is a string from pack(). A name that starts with "@" is a symbolic link. */
  files: Record<string, string>;
  issues: (FakeThread | Record<string, unknown> | null)[];
  discussions: (FakeThread | Record<string, unknown> | null)[];
}

export interface GithubFake {
  url: string;
  accessToken: string;
  repositories: Record<string, FakeRepository>;
  /** Former names of repositories: GraphQL follows them, REST redirects. */
  moved: Record<string, string>;
  /** The maximum number of threads per query. */
  mostThreads: number;
  /** Numbers of threads that are too large for a query, unless it leaves out their comments. */
  heavy: Set<number>;
  /** The maximum number of entries in a folder's own list. */
  mostInFolder: number;
  /** Kinds that the token may not read: files are null with an error beside them. */
  denied: Set<string>;
  /** Blobs sent with this many bytes, whatever the tree says. */
  swollen: Record<string, number>;
  /** Queued replies that replace the real ones; with a path, only for calls to it. */
  refusals: { status: number; headers?: Record<string, string>; body?: unknown; path?: string }[];
  /** The maximum number of entries in a recursive tree. */
  mostEntries: number;
  /** Deleted commits, as after a branch was rewritten. */
  forgotten: Set<string>;
  /** "tree docs", "compare", "issues", "issues since …", "file docs/a.md". */
  calls: string[];
  /** The headers of each request. */
  headers: IncomingMessage["headers"][];
  close(): Promise<void>;
}

const perPage = 2;
const perThread = 2;
/** GitHub itself truncates a text at half a megabyte. */
const mostChars = 5_000;

const hash = (text: string) => createHash("sha1").update(text).digest("hex");
/** A binary file in the fake's representation. */
export const pack = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const isPacked = (text: string) => /\0|^(?:%PDF|\x89PNG|PK)/.test(text);
const bytesOf = (text: string) => Buffer.from(text, isPacked(text) ? "latin1" : "utf8");
const commitOf = ({ files }: FakeRepository) => hash(JSON.stringify(files));

const modeOf = (path: string) => (path.includes("@") ? "120000" : "100644");

export async function startGithubFake(port?: number): Promise<GithubFake> {
  const upstream = await startUpstream(port);
  const commits = new Map<string, Record<string, string>>();
  const fake: GithubFake = {
    url: upstream.url,
    accessToken: "github_pat_of_the_tests",
    repositories: {},
    moved: {},
    mostThreads: 100,
    heavy: new Set(),
    mostInFolder: 1000,
    denied: new Set(),
    swollen: {},
    refusals: [],
    mostEntries: 1000,
    forgotten: new Set(),
    calls: [],
    headers: [],
    close: () => upstream.close(),
  };

  /** The entries below a folder, with relative paths. */
  function treeOf(repository: FakeRepository, sha: string, isRecursive: boolean) {
    const folders = new Set([""]);
    for (const path of Object.keys(repository.files))
      for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at));
    const folder = [...folders].find((one) => hash(`tree ${one} ${commitOf(repository)}`) === sha);
    if (folder === undefined) return undefined;
    fake.calls.push(["tree", folder, isRecursive ? "" : "alone"].filter(Boolean).join(" "));
    const below = folder === "" ? "" : `${folder}/`;
    const inside = (path: string) =>
      path.startsWith(below) && path !== folder && (isRecursive || !path.slice(below.length).includes("/"));
    const entries = [
      ...[...folders]
        .filter((one) => one !== "" && inside(one))
        .map((path) => ({
          path: path.slice(below.length),
          mode: "040000",
          type: "tree",
          sha: hash(`tree ${path} ${commitOf(repository)}`),
        })),
      ...Object.entries(repository.files)
        .filter(([path]) => inside(path))
        .map(([path, text]) => ({
          path: path.slice(below.length),
          mode: modeOf(path),
          type: "blob",
          sha: hash(text),
          size: text.length,
        })),
    ];
    const most = isRecursive ? fake.mostEntries : fake.mostInFolder;
    return { sha, tree: entries.slice(0, most), truncated: entries.length > most };
  }

  function compare(from: string, to: string) {
    fake.calls.push("compare");
    const before = commits.get(from);
    const after = commits.get(to);
    if (!before || !after || fake.forgotten.has(from)) return undefined;
    const files: object[] = [];
    const left = new Map(Object.entries(before).filter(([path]) => !(path in after)));
    for (const [filename, text] of Object.entries(after)) {
      if (before[filename] === text) continue;
      const [old] = [...left].find(([, was]) => was === text && !(filename in before)) ?? [];
      if (old) left.delete(old);
      const status = old ? "renamed" : filename in before ? "modified" : "added";
      files.push({ filename, status, sha: hash(text), ...(old ? { previous_filename: old } : {}) });
    }
    for (const [filename, text] of left) files.push({ filename, status: "removed", sha: hash(text) });
    return { status: from === to ? "identical" : "ahead", files: files.slice(0, 300) };
  }

  function connection(all: unknown[], after: unknown, size: number, shown: (one: unknown) => unknown) {
    const from = after ? Number(String(after).replace("cursor-", "")) : 0;
    const end = from + size;
    const pageInfo = { hasNextPage: end < all.length, endCursor: end < all.length ? `cursor-${end}` : null };
    return { nodes: all.slice(from, end).map(shown), pageInfo };
  }
  const commentShown = (raw: unknown): unknown => {
    if (raw === null) return null;
    const { replies = [], ...comment } = raw as FakeComment;
    return { ...said, ...comment, replies: connection(replies, undefined, perThread, commentShown) };
  };
  const threadShown = (raw: unknown): unknown => {
    if (!isThread(raw)) return raw;
    const { comments, ...thread } = raw;
    return { ...thread, comments: connection(comments, undefined, perThread, commentShown) };
  };

  function nodeOf(id: unknown, after: unknown) {
    const threads = Object.values(fake.repositories).flatMap((one) => [...one.issues, ...one.discussions]);
    for (const thread of threads.filter(isThread)) {
      if (thread.id === id) return { page: connection(thread.comments, after, perThread, commentShown) };
      for (const comment of thread.comments)
        if (comment && comment.id === id)
          return { page: connection(comment.replies ?? [], after, perThread, commentShown) };
    }
    return null;
  }

  function graph({ query, variables }: { query: string; variables: Record<string, unknown> }) {
    if (query.includes("node(id:")) {
      fake.calls.push("more");
      const node = nodeOf(variables.id, variables.after);
      return node ? { data: { node } } : failWith("NOT_FOUND", ["node"], { node: null });
    }
    const asked = `${variables.owner}/${variables.name}`.toLowerCase();
    const name = (fake.moved[asked] ?? asked).toLowerCase();
    const [full, repository] =
      Object.entries(fake.repositories).find(([one]) => one.toLowerCase() === name) ?? [];
    if (!repository || !full) return failWith("NOT_FOUND", ["repository"], { repository: null });
    commits.set(commitOf(repository), { ...repository.files });
    if (query.includes("defaultBranchRef { name")) {
      fake.calls.push("head");
      const oid = commitOf(repository);
      const target = { oid, tree: { oid: hash(`tree  ${oid}`) } };
      const isEmpty = Object.keys(repository.files).length === 0;
      const defaultBranchRef = isEmpty ? null : { name: repository.branch, target };
      const url = `https://github.example/${full}`;
      if (fake.denied.has("files")) {
        const known = { url, nameWithOwner: full, defaultBranchRef: null };
        return failWith("FORBIDDEN", ["repository", "defaultBranchRef"], { repository: known });
      }
      return { data: { repository: { url, nameWithOwner: full, defaultBranchRef } } };
    }
    if (query.includes("object(expression:")) {
      const path = String(variables.at).replace("HEAD:", "");
      fake.calls.push(`file ${path}`);
      if (fake.denied.has("files")) {
        const known = { nameWithOwner: full, object: null, defaultBranchRef: null };
        return failWith("FORBIDDEN", ["repository", "object"], { repository: known });
      }
      const text = repository.files[path];
      const isTruncated = (text?.length ?? 0) > mostChars;
      const isBinary = text !== undefined && isPacked(text);
      const shown = isBinary ? null : isTruncated ? text?.slice(0, mostChars) : text;
      const object =
        text === undefined
          ? null
          : { oid: hash(text), byteSize: text.length, isBinary, isTruncated, text: shown };
      const history = { nodes: [{ committedDate: "2026-02-03T10:00:00Z" }] };
      const file = text === undefined ? null : { mode: Number.parseInt(modeOf(path), 8) };
      return {
        data: {
          repository: { nameWithOwner: full, object, defaultBranchRef: { target: { file, history } } },
        },
      };
    }
    const kind = /\b(?:issues?)\b\s*[({]/.test(query.replace(/query \([^)]*\)/, ""))
      ? "issues"
      : "discussions";
    if (fake.denied.has(kind)) {
      const part = variables.number === undefined ? "page" : "thread";
      return failWith("FORBIDDEN", ["repository", part], { repository: { [part]: null } });
    }
    const all = repository[kind];
    if (query.includes("totalCount"))
      return { data: { repository: { counted: { totalCount: all.length } } } };
    if (variables.number !== undefined) {
      const found = all.find((one) => one?.number === variables.number);
      if (fake.heavy.has(Number(variables.number)))
        return failWith("RESOURCE_LIMITS_EXCEEDED", ["repository", "thread"], {
          repository: { thread: null },
        });
      return found
        ? { data: { repository: { thread: threadShown(found) } } }
        : failWith("NOT_FOUND", ["repository", "thread"], { repository: { thread: null } });
    }
    const time = (one: unknown) => (isThread(one) ? Date.parse(one.updatedAt) : 0);
    const since = variables.since === undefined ? undefined : Date.parse(String(variables.since));
    fake.calls.push(`${kind}${since ? ` since ${String(variables.since)}` : ""}`);
    const isLatestFirst = query.includes("UPDATED_AT");
    const matching = since === undefined ? all : all.filter((one) => time(one) >= since);
    const sorted = isLatestFirst ? [...matching].sort((a, b) => time(b) - time(a)) : matching;
    const first = Number(variables.first);
    if (first > fake.mostThreads) {
      const page = { ...connection(sorted, variables.after, perPage, () => null) };
      return failWith("RESOURCE_LIMITS_EXCEEDED", ["repository", "page", "nodes"], { repository: { page } });
    }
    const page = connection(sorted, variables.after, Math.min(perPage, first), threadShown);
    const isHeavy = page.nodes.some((one) => fake.heavy.has(Number((one as FakeThread | null)?.number)));
    if (isHeavy && query.includes("comments("))
      return failWith("RESOURCE_LIMITS_EXCEEDED", ["repository", "page", "nodes"], { repository: { page } });
    if (!query.includes("comments("))
      return { data: { repository: { page: { ...page, nodes: page.nodes.map(bareThread) } } } };
    const errors = page.nodes.includes(null) ? { errors: [{ type: "SERVICE_UNAVAILABLE" }] } : {};
    return { data: { repository: { page } }, ...errors };
  }

  upstream.handle(async (request, response) => {
    const url = new URL(request.url ?? "", upstream.url);
    fake.headers.push(request.headers);
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, {
          "content-type": "application/json",
          "x-ratelimit-remaining": "4000",
          ...headers,
        })
        .end(JSON.stringify(body));
    const text = await bodyOf(request);
    const at = fake.refusals.findIndex(
      ({ path }) => !path || url.pathname.includes(path) || text.includes(path),
    );
    const [refusal] = at < 0 ? [] : fake.refusals.splice(at, 1);
    if (refusal) return send(refusal.status, refusal.body ?? { message: "" }, refusal.headers);
    if (request.headers.authorization !== `Bearer ${fake.accessToken}`)
      return send(401, { message: "Bad credentials" });
    if (url.pathname === "/api/graphql") return send(200, graph(JSON.parse(text)));
    const [, name = "", what = "", rest = ""] =
      /^\/api\/v3\/repos\/([^/]+\/[^/]+)\/(git\/trees|git\/blobs|compare)\/(.+)$/.exec(url.pathname) ?? [];
    const repository = Object.entries(fake.repositories).find(
      ([one]) => one.toLowerCase() === name.toLowerCase(),
    )?.[1];
    if (fake.moved[name.toLowerCase()])
      return send(
        301,
        { message: "Moved Permanently" },
        { location: `${upstream.url}/api/v3/repositories/7` },
      );
    if (!repository) return send(404, { message: "Not Found" });
    const [from = "", to = ""] = rest.split("...");
    const [path, blob] = Object.entries(repository.files).find(([, one]) => hash(one) === rest) ?? [];
    if (what === "git/blobs" && path && request.headers.accept === "application/vnd.github.raw+json") {
      fake.calls.push(`blob ${path}`);
      const bytes = Buffer.concat([bytesOf(blob ?? ""), Buffer.alloc(fake.swollen[path] ?? 0)]);
      return void response.writeHead(200, { "content-type": String(request.headers.accept) }).end(bytes);
    }
    const found =
      what === "compare"
        ? compare(from, to)
        : what === "git/trees"
          ? treeOf(repository, rest, url.searchParams.has("recursive"))
          : blob && { content: bytesOf(blob).toString("base64"), encoding: "base64" };
    return found ? send(200, found) : send(404, { message: "Not Found" });
  });
  return fake;
}

const said = { author: { login: "grace" }, createdAt: "2026-01-06T09:00:00Z", isMinimized: false };

/** A thread of a repository, last changed at a given time. */
export const threadOf = (
  number: number,
  title: string,
  body: string,
  updatedAt: string,
  more: Record<string, unknown> & { comments?: (FakeComment | null)[] } = {},
): FakeThread => ({
  id: `thread-${title}-${number}`,
  number,
  title,
  body,
  url: `https://github.example/acme/handbook/issues/${number}`,
  createdAt: "2026-01-05T09:00:00Z",
  updatedAt,
  author: { login: "ada" },
  comments: [],
  ...more,
});

/** The result for a thread without further fields. */
const bareThread = (one: unknown) => {
  const { number, title, url } = one as FakeThread;
  return { number, title, url };
};

const isThread = (one: unknown): one is FakeThread =>
  typeof one === "object" && one !== null && Array.isArray((one as FakeThread).comments);

const failWith = (type: string, path: string[], data: unknown) => ({
  data,
  errors: [{ type, path, message: "It failed." }],
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += part;
  return text;
}
