// A fake Google Drive over HTTP: tokens for signed JWTs and refresh tokens, queries of files by parent, corpora, exports with their size
// limit, shared drives, change feeds with expiring tokens, errors with reasons.
import { generateKeyPairSync } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { createLocalJWKSet, exportJWK, importSPKI, type JWTPayload, jwtVerify } from "jose";
import { startUpstream } from "../upstream.ts";

type Json = Record<string, unknown>;
export interface FakeFile {
  id: string;
  name: string;
  mimeType: string;
  /** The content of a download or an export; of an export by type. */
  content?: string | Uint8Array | Record<string, string | Uint8Array>;
  modified: string;
  parent?: string;
  drive?: string;
  size?: number;
  isTrashed?: boolean;
  isLocked?: boolean;
  /** Google's reason for refusing its bytes. */
  refused?: string;
  /** Another account's folder, whose parent is invisible to this account. */
  isSharedIn?: boolean;
}

export interface GoogleDriveFake {
  url: string;
  /** The JSON key file that Google issues. */
  key: string;
  personKey: string;
  /** Anything else in the list is sent unchanged. */
  files: (FakeFile | Json)[];
  drives: { id: string; name: string }[];
  /** Ids hidden from the account. */
  hidden: Set<string>;
  /** Ids that the account never opened: they are not in its own view, only found below their folder. */
  unopened: Set<string>;
  /** Ids that are refused only when the file itself is requested. */
  forbidden: Set<string>;
  /** Ids whose content fails to load. */
  failing: Set<string>;
  /** Everything but tokens fails. */
  isDown: boolean;
  /** Documents have web download links, whatever their size. */
  hasLinks: boolean;
  /** One entry per download, redirects included: the credentials sent, if any. */
  downloads: (string | undefined)[];
  /** Larger exports are refused. */
  mostExported: number;
  /** Issued tokens that are no longer valid. */
  revoked: Set<string>;
  isKeyGood: boolean;
  /** Expired page tokens of lists and of changes. */
  lost: Set<string>;
  refusals: { status: number; headers?: Record<string, string>; body?: unknown; path?: string }[];
  /** Runs before a call for a file is answered, with its id. */
  meanwhile: ((id: string) => Promise<void>) | undefined;
  /** Adds an entry to the change feeds: a file was changed, moved or removed. */
  change(id: string, drive?: string): void;
  /** "token", "files user", "files drive d1", "file f1", "export f1 docx", "bytes f1", "changes own", "drives" … */
  calls: string[];
  assertions: JWTPayload[];
  headers: IncomingMessage["headers"][];
  close(): Promise<void>;
}

const perPage = 2;
export const folderType = "application/vnd.google-apps.folder";
const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

export const googleError = (code: number, reason: string, location?: string) => ({
  error: {
    code,
    message: reason,
    errors: [
      {
        domain: "global",
        reason,
        message: reason,
        ...(location ? { location, locationType: "parameter" } : {}),
      },
    ],
  },
});

export async function startGoogleDriveFake(port?: number): Promise<GoogleDriveFake> {
  const upstream = await startUpstream(port);
  const docs = await startUpstream();
  const content = await startUpstream();
  const log: { id: string; drive?: string }[] = [];
  const given = new Set<string>();
  const keys = createLocalJWKSet({
    keys: [{ ...(await exportJWK(await importSPKI(publicKey, "RS256"))), kid: "k1", alg: "RS256" }],
  });
  const fake: GoogleDriveFake = {
    url: upstream.url,
    key: JSON.stringify({
      type: "service_account",
      project_id: "acme",
      private_key_id: "k1",
      private_key: privateKey,
      client_email: "reader@acme.iam.gserviceaccount.com",
      // Must not be called, whatever the key file says.
      token_uri: "https://169.254.169.254/token",
    }),
    personKey: JSON.stringify({
      type: "authorized_user",
      client_id: "c",
      client_secret: "s",
      refresh_token: "r",
    }),
    files: [],
    drives: [],
    hidden: new Set(),
    unopened: new Set(),
    forbidden: new Set(),
    failing: new Set(),
    isDown: false,
    hasLinks: false,
    downloads: [],
    mostExported: 10_000_000,
    revoked: new Set(),
    isKeyGood: true,
    lost: new Set(),
    refusals: [],
    meanwhile: undefined,
    change: (id, drive) => void log.push({ id, ...(drive ? { drive } : {}) }),
    calls: [],
    assertions: [],
    headers: [],
    close: async () => {
      for (const one of [upstream, docs, content]) await one.close();
    },
  };

  const isFile = (one: FakeFile | Json): one is FakeFile => typeof one.modified === "string";
  const isSeen = (one: FakeFile | Json) => ![one.id, one.drive].some((id) => fake.hidden.has(String(id)));
  const contentOf = ({ content = "" }: FakeFile, type?: string) =>
    typeof content === "string" || content instanceof Uint8Array ? content : (content[type ?? ""] ?? "");
  const linkOf = (id: string, type: string) =>
    `${docs.url}/export?id=${id}&exportFormat=${encodeURIComponent(type)}`;
  const show = (one: FakeFile | Json): Json => {
    if (!isFile(one)) return one;
    const { id, name, mimeType, modified, parent, drive, isTrashed = false, isLocked = false, size } = one;
    const isRoot = one.isSharedIn === true;
    const isOwn = mimeType.startsWith("application/vnd.google-apps.");
    return {
      id,
      name,
      mimeType,
      modifiedTime: modified,
      trashed: isTrashed,
      webViewLink: `https://docs.google.com/file/d/${id}/view`,
      ...(isRoot ? {} : { parents: [parent ?? drive ?? "root-of-owner"] }),
      ...(drive ? { driveId: drive } : {}),
      ...(isOwn ? {} : { size: String(size ?? contentOf(one).length), md5Checksum: `md5-${modified}` }),
      capabilities: { canDownload: !isLocked },
      ...(isOwn && fake.hasLinks && typeof one.content === "object" && !(one.content instanceof Uint8Array)
        ? {
            exportLinks: Object.fromEntries(Object.keys(one.content).map((type) => [type, linkOf(id, type)])),
          }
        : {}),
    };
  };
  const answerWith = (body: unknown) => ({ status: 200, body });
  const failWith = (status: number, reason: string, location?: string) => ({
    status,
    body: googleError(status, reason, location),
  });

  function list(query: URLSearchParams) {
    const drive = query.get("driveId") ?? undefined;
    fake.calls.push(drive ? `files drive ${drive}` : "files user");
    if (query.get("supportsAllDrives") !== "true" || query.get("includeItemsFromAllDrives") !== "true")
      return failWith(400, "badRequest");
    if (drive && !fake.drives.some((one) => one.id === drive && isSeen(one)))
      return failWith(404, "notFound");
    const q = query.get("q") ?? "";
    const parents = [...q.matchAll(/'([^']+)' in parents/g)].map(([, id]) => id);
    const isThere = (id: string | undefined) =>
      fake.drives.some((one) => one.id === id && isSeen(one)) ||
      fake.files.some((one) => one.id === id && isSeen(one));
    // For a missing folder Google reports that the file is not found, without its name.
    if (!parents.every(isThere)) return failWith(404, "notFound", "fileId");
    const found = fake.files.filter(
      (one) =>
        isSeen(one) &&
        one.isTrashed !== true &&
        (parents.length > 0 || !fake.unopened.has(String(one.id))) &&
        (!isFile(one) ? !drive : drive ? one.drive === drive : parents.length > 0 || !one.drive) &&
        (parents.length === 0 || parents.includes(String(one.parent ?? one.drive))),
    );
    return page(found, query.get("pageToken"), (one) => ({ files: one.map(show), incompleteSearch: false }));
  }
  function page<T>(all: T[], token: string | null, body: (some: T[]) => Json) {
    if (token && fake.lost.delete(token)) return failWith(400, "invalid", "pageToken");
    const from = token ? Number(token.replace("p-", "")) : 0;
    const end = from + perPage;
    return answerWith({
      ...body(all.slice(from, end)),
      ...(end < all.length ? { nextPageToken: `p-${end}` } : {}),
    });
  }
  function changes(query: URLSearchParams) {
    const drive = query.get("driveId") ?? undefined;
    fake.calls.push(`changes ${drive ?? "own"}`);
    const token = query.get("pageToken") ?? "";
    if (fake.lost.has(token) || fake.lost.has("changes"))
      return failWith(410, "pageTokenExpired", "pageToken");
    const from = Number(token);
    const mine = log.slice(from).filter((one) => one.drive === drive);
    const some = mine.slice(0, perPage).map(({ id }) => {
      const file = fake.files.find((one) => one.id === id && isSeen(one) && (!drive || one.drive === drive));
      return {
        kind: "drive#change",
        changeType: "file",
        fileId: id,
        removed: !file,
        ...(file ? { file: show(file) } : {}),
      };
    });
    const last = mine.slice(0, perPage).at(-1);
    const isMore = mine.length > perPage && last !== undefined;
    return answerWith({
      changes: some,
      ...(isMore
        ? { nextPageToken: String(log.indexOf(last) + 1) }
        : { newStartPageToken: String(log.length) }),
    });
  }

  upstream.handle(async (request, response) => {
    const url = new URL(request.url ?? "", upstream.url);
    fake.headers.push(request.headers);
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { "content-type": "application/json; charset=UTF-8", ...headers })
        .end(JSON.stringify(body));
    let text = "";
    for await (const part of request) text += part;
    const at = fake.refusals.findIndex(({ path }) => !path || (request.url ?? "").includes(path));
    const [refusal] = at < 0 ? [] : fake.refusals.splice(at, 1);
    if (refusal) return send(refusal.status, refusal.body ?? {}, refusal.headers);
    const { pathname, searchParams: query } = url;
    if (pathname === "/token") {
      fake.calls.push("token");
      const form = new URLSearchParams(text);
      const isPerson =
        form.get("grant_type") === "refresh_token" &&
        form.get("refresh_token") === "r" &&
        form.get("client_id") === "c";
      if (!isPerson) {
        try {
          const { payload } = await jwtVerify(form.get("assertion") ?? "", keys, {
            audience: `${upstream.url}/token`,
            algorithms: ["RS256"],
          });
          fake.assertions.push(payload);
        } catch {
          return send(400, { error: "invalid_grant", error_description: "Invalid JWT Signature." });
        }
      }
      if (!fake.isKeyGood)
        return send(400, { error: "invalid_grant", error_description: "Account has been disabled." });
      const token = `ya29.${given.size + 1}`;
      given.add(token);
      return send(200, { access_token: token, expires_in: 3599, token_type: "Bearer" });
    }
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    if (!given.has(token) || fake.revoked.has(token)) return send(401, googleError(401, "authError"));
    if (fake.isDown) return send(503, googleError(503, "backendError"));
    if (pathname === "/drive/v3/files") {
      const { status, body } = list(query);
      return send(status, body);
    }
    // Google documents no behaviour for unknown parameters.
    const isStray = /\/drives(?:\/|$)|\/export$/.test(pathname) && query.has("supportsAllDrives");
    if (isStray) return send(400, googleError(400, "badRequest", "supportsAllDrives"));
    if (pathname.startsWith("/drive/v3/drives/")) {
      const drive = fake.drives.find((one) => pathname.endsWith(`/${one.id}`) && isSeen(one));
      return drive ? send(200, drive) : send(404, googleError(404, "notFound", "driveId"));
    }
    if (pathname === "/drive/v3/drives") {
      fake.calls.push("drives");
      const size = Number(query.get("pageSize"));
      const from = Number(query.get("pageToken") ?? 0);
      const end = from + size;
      const all = fake.drives.filter(isSeen);
      const next = end < all.length ? { nextPageToken: String(end) } : {};
      return send(200, { drives: all.slice(from, end), ...next });
    }
    const isLostDrive =
      pathname.startsWith("/drive/v3/changes") &&
      query.has("driveId") &&
      !fake.drives.some((one) => one.id === query.get("driveId") && isSeen(one));
    if (isLostDrive) return send(404, googleError(404, "notFound", "driveId"));
    if (pathname === "/drive/v3/changes/startPageToken")
      return send(200, { startPageToken: String(log.length) });
    if (pathname === "/drive/v3/changes") {
      const { status, body } = changes(query);
      return send(status, body);
    }
    const [, id = "", what] = /^\/drive\/v3\/files\/([^/]+)(\/export)?$/.exec(pathname) ?? [];
    await fake.meanwhile?.(id);
    const root = fake.drives.find((one) => one.id === id && isSeen(one));
    const found = fake.files.find((one) => one.id === id && isSeen(one));
    if (root) return send(200, { id, name: root.name, mimeType: folderType, driveId: id, trashed: false });
    if (!found) return send(404, googleError(404, "notFound", "fileId"));
    if (fake.forbidden.has(id)) return send(403, googleError(403, "insufficientFilePermissions"));
    if (what && isFile(found)) {
      const type = query.get("mimeType") ?? "";
      fake.calls.push(`export ${id} ${type}`);
      if (fake.failing.has(id)) return send(500, googleError(500, "internalError"));
      const content = contentOf(found, type);
      if (content.length > fake.mostExported) return send(403, googleError(403, "exportSizeLimitExceeded"));
      return void response.writeHead(200, { "content-type": type }).end(content);
    }
    if (query.get("alt") === "media" && isFile(found)) {
      fake.calls.push(`bytes ${id}`);
      if (fake.failing.has(id)) return send(500, googleError(500, "internalError"));
      if (found.refused) return send(403, googleError(403, found.refused));
      if (found.isLocked) return send(403, googleError(403, "cannotDownloadFile"));
      return void response.writeHead(200, { "content-type": found.mimeType }).end(contentOf(found));
    }
    fake.calls.push(`file ${id}`);
    send(200, show(found));
  });
  docs.handle((request, response) => {
    fake.downloads.push(request.headers.authorization?.replace(/\d+$/, "…"));
    const isKnown = given.has(request.headers.authorization?.replace("Bearer ", "") ?? "");
    response.writeHead(isKnown ? 302 : 401, { location: `${content.url}${request.url}` }).end();
  });
  content.handle((request, response) => {
    fake.downloads.push(request.headers.authorization);
    const { searchParams: query } = new URL(request.url ?? "", content.url);
    const found = fake.files.filter(isFile).find((one) => one.id === query.get("id"));
    response.writeHead(found ? 200 : 404).end(found && contentOf(found, query.get("exportFormat") ?? ""));
  });
  hostsOf.set(
    fake,
    [upstream, docs, content].map(({ url }) => new URL(url).host),
  );
  return fake;
}

const hostsOf = new WeakMap<GoogleDriveFake, string[]>();
/** The fake's hosts, for PARLEY_OUTBOUND_ALLOW. */
export const placesOf = (fake: GoogleDriveFake) => (hostsOf.get(fake) ?? []).join(",");
