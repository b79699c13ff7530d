// Reads documents of Google Drive from what is shared with an account and from shared drives: Google's own by export, others as
// they are. Read-only. Finds changes by Drive's change feeds, and deletions by listing everything and asking for what the lists
// left out.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  type Fetched,
  ItemGone,
  ItemUnreadable,
  type PreviewLine,
} from "../connector.ts";
import { titleOf } from "../markup.ts";
import { type DriveFile, file } from "./answers.ts";
import { type GoogleDrive, googleDriveOf, nothingShown, type Place } from "./api.ts";
import { declaration } from "./declaration.ts";
import { accountOf, isCovered } from "./folders.ts";
import { folderOf, isSharedIn, listPage, placeOf } from "./listing.ts";
import { tooLargeToExport } from "./refusals.ts";
import { exportOf, fileItem, idPattern, isFolder, problemOf, revisionOfFile } from "./transform.ts";

/** One call or more each while a person waits. */
const mostPreviewed = 10;
const mostCounted = 5;

export const googleDrive: Connector = {
  declaration,

  list: (context, at) => listPage(googleDriveOf(context), accountOf(context.source), at),

  async fetch(context, externalId): Promise<Fetched> {
    const api = googleDriveOf(context);
    if (!idPattern.test(externalId)) throw new ItemGone("this is not a file's id");
    const found = file.safeParse(await api.file(externalId)).data;
    if (!found) throw new ItemUnreadable(sentenceOf("googleDriveForm"));
    if (
      found.trashed === true ||
      isFolder(found) ||
      !(await isCovered(api, accountOf(context.source), found))
    )
      throw new ItemGone("the file is in the trash, or in a folder that the source does not read");
    return { ...(await contentOf(api, found)), revision: revisionOfFile(found) };
  },

  async preview(context: ConnectorContext): Promise<PreviewLine[]> {
    const api = googleDriveOf(context);
    const { folders } = api.config;
    const lines: PreviewLine[] = [];
    for (const id of folders.slice(0, mostPreviewed)) {
      const root = await folderOf(api, id);
      const problem = sentenceOf("googleDriveMissing", { folder: id });
      if (!root) lines.push({ kind: "files", name: id, problem });
      else {
        const name = titleOf(root.name ?? "", id);
        lines.push({
          kind: "files",
          name,
          ...(await countFiles(api, await placeOf(api, root))),
        });
      }
    }
    if (folders.length > 0) return lines;
    const drives = await api.drives();
    const own = await countFiles(api, {});
    if (own.count === 0 && drives.length === 0) return [{ kind: "files", count: 0, problem: nothingShown }];
    if (own.count !== 0) lines.push({ kind: "files", ...own });
    for (const { id, name } of drives.slice(0, mostPreviewed))
      lines.push({ kind: "files", name: titleOf(name, id), ...(await countFiles(api, { drive: id })) });
    return lines;
  },
};

async function contentOf(api: GoogleDrive, found: DriveFile) {
  const title = titleOf(found.name ?? "", "Untitled");
  const problem = problemOf(found, title, api.config);
  if (problem !== undefined) throw new ItemUnreadable(problem);
  const form = exportOf(found);
  if (!form) return { bytes: await api.bytes(found.id), name: title, contentType: found.mimeType };
  const bytes =
    (await api.exportDocument(found.id, form.type)) ?? (await api.exportByLink(found.id, form.type));
  if (bytes) return { bytes, name: `${title}.${form.extension}`, contentType: form.type };
  // Pictures make the export large; the text alone is smaller.
  const { otherwise } = form;
  const words = otherwise && (await api.exportDocument(found.id, otherwise.type));
  if (!words) throw new ItemUnreadable(tooLargeToExport);
  return { bytes: words, name: `${title}.${otherwise.extension}`, contentType: otherwise.type };
}

/** The number of documents in a place and the folders below it; absent when counting takes too long. */
async function countFiles(api: GoogleDrive, place: Place): Promise<{ count?: number }> {
  const waiting: Place[] = [place];
  // A document opened from a shared folder is listed twice.
  const met = new Set<string>();
  let after: string | undefined;
  for (let call = 0; call < mostCounted; call++) {
    const [first] = waiting;
    if (!first) return { count: met.size };
    const page = await api.files(first, after);
    const found = page.files.flatMap((raw) => file.safeParse(raw).data ?? []);
    for (const one of found) if (fileItem(one, api.config).item) met.add(one.id);
    const below = found
      .filter((one) => isFolder(one) && (first.parents || isSharedIn(one, first)))
      .map(({ id }) => id);
    for (let from = 0; from < below.length; from += 20)
      waiting.push({ drive: place.drive, parents: below.slice(from, from + 20) });
    after = page.next;
    if (!after) waiting.shift();
  }
  return waiting.length === 0 ? { count: met.size } : {};
}
