// Files that people attached to a thread or its comments, found by their addresses in its text, and what of them is read. Pure but for
// PARLEY_OUTBOUND_ALLOW.
import { isAllowedPlace } from "../../../_shared/outbound/outbound.ts";
import type { PageNote, SourceItem } from "../connector.ts";
import { revisionOf, titleOf } from "../markup.ts";
import { isPicture as isPictureName, kindProblem, pictureOff } from "../readable.ts";

type Thread = Pick<SourceItem, "externalId" | "title" | "url" | "text">;
interface Attached {
  /** In the external id: of the address, since names repeat. */
  key: string;
  url: URL;
  name: string;
  isPicture: boolean;
}

/** Of one thread; each is a call, and may be one of a model. */
export const mostAttached = 100;
export const tooManyAttached =
  "Only the first 100 files attached to this thread are read. Attach the others to another thread, or upload them.";

/** Where GitHub and its servers keep what people attach, now and formerly. */
const attachment =
  /https?:\/\/(?:(?:private-)?user-images\.githubusercontent\.com|raw\.githubusercontent\.com|[^\s/()<>"']{1,253}\/(?:user-attachments\/(?:files|assets)|storage\/user\/\d{1,12}\/files|[\w.-]{1,100}\/[\w.-]{1,100}\/(?:files|assets)\/\d{1,12}))\/[^\s()<>"'\]]{1,500}/g;

/**
 * Each once, in the order of the text, on GitHub's own hosts and that of the thread.
 * @param isAllowed what else may be called
 */
export function attachedIn(
  { text = "", url: threadUrl = "" }: Thread,
  isAllowed: (url: URL) => boolean = isAllowedPlace,
): Attached[] {
  const found = new Map<string, Attached>();
  for (const [address] of text.matchAll(attachment)) {
    const url = URL.parse(address);
    if (!url || !(isOfGithub(url, URL.parse(threadUrl)?.hostname) || isAllowed(url))) continue;
    const name = nameIn(url);
    // What has no name of its own is pasted into the text, as pictures are.
    const isPasted = !/\.[A-Za-z0-9]{1,10}$/.test(name) && !url.pathname.includes("/files/");
    const isPicture = isPasted || isPictureName(name);
    if (url.hostname === "raw.githubusercontent.com" && !isPicture) continue;
    found.set(url.href, { key: revisionOf(url.href).slice(0, 32), url, name, isPicture });
  }
  return [...found.values()];
}

function isOfGithub(url: URL, own: string | undefined): boolean {
  const isOne =
    url.hostname === "github.com" || url.hostname === own || url.hostname.endsWith(".githubusercontent.com");
  return url.protocol === "https:" && isOne;
}

function nameIn(url: URL): string {
  const last = url.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Where its documents' external ids begin: "acme/handbook/issues/12/". No thread's own does. */
export const prefixOf = ({ externalId }: Pick<SourceItem, "externalId">): string => `${externalId}/attached/`;

/** Which thread an attachment's external id names; undefined for any other text. */
export function attachmentOfId(externalId: string): { thread: string; key: string } | undefined {
  const [, thread, key] = /^(.+)\/attached\/([0-9a-f]{32})$/s.exec(externalId) ?? [];
  return thread && key ? { thread, key } : undefined;
}

/** What of a thread's attachments is read: an item, or why it is not. */
export function attachedOf(
  thread: Thread,
  withPictures: boolean,
): { items: SourceItem[]; notes: PageNote[] } {
  const items: SourceItem[] = [];
  const notes: PageNote[] = [];
  for (const { key, url, name, isPicture } of attachedIn(thread).slice(0, mostAttached)) {
    const [head = ""] = thread.title.split(" ");
    const title = titleOf(`${head} ${name}`, key);
    const pictureProblem = withPictures ? undefined : pictureOff;
    const problem = isPicture ? pictureProblem : kindProblem(name, "", withPictures);
    if (problem) notes.push({ address: url.href.slice(0, 500), title, problem });
    else
      items.push({
        externalId: `${prefixOf(thread)}${key}`,
        title,
        url: url.href,
        // An attached file never changes: another one has another address.
        revision: revisionOf(url.href),
      });
  }
  return { items, notes };
}
