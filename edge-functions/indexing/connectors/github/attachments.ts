// Finds the files attached to a thread or its comments by the URLs in its text, and decides which are read. Pure except for
// PARLEY_OUTBOUND_ALLOW.
import { isAllowedPlace } from "../../../_shared/outbound/outbound.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import type { PageNote, SourceItem } from "../connector.ts";
import { nameIn, revisionOf, titleOf } from "../markup.ts";
import { isPicture as isPictureName, kindProblem, pictureOff } from "../readable.ts";

type Thread = Pick<SourceItem, "externalId" | "title" | "url" | "text">;
interface Attached {
  /** The last part of the external id: a hash of the URL, since names repeat. */
  key: string;
  url: URL;
  name: string;
  isPicture: boolean;
}

/** Per thread: each one costs a call, and possibly a model call. */
export const mostAttached = 100;
export const tooManyAttached = sentenceOf("githubAttached");

/** The places where GitHub and its servers store attachments, now and formerly. */
const attachment =
  /https?:\/\/(?:(?:private-)?user-images\.githubusercontent\.com|raw\.githubusercontent\.com|[^\s/()<>"']{1,253}\/(?:user-attachments\/(?:files|assets)|storage\/user\/\d{1,12}\/files|[\w.-]{1,100}\/[\w.-]{1,100}\/(?:files|assets)\/\d{1,12}))\/[^\s()<>"'\]]{1,500}/g;

/**
 * Each attachment once, in the order of the text: on GitHub's own hosts and on the thread's host.
 * @param isAllowed other URLs that may be fetched
 */
export function findAttachments(
  { text = "", url: threadUrl = "" }: Thread,
  isAllowed: (url: URL) => boolean = isAllowedPlace,
): Attached[] {
  const found = new Map<string, Attached>();
  for (const [address] of text.matchAll(attachment)) {
    const url = URL.parse(address);
    if (!url || !(isOfGithub(url, URL.parse(threadUrl)?.hostname) || isAllowed(url))) continue;
    const name = nameIn(url);
    // Files without an extension were pasted into the text, as pictures are.
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

/** The prefix of the attachments' external ids: "acme/handbook/issues/12/attached/". No thread's id has it. */
export const prefixOf = ({ externalId }: Pick<SourceItem, "externalId">): string => `${externalId}/attached/`;

/** The thread in an attachment's external id, or undefined. */
export function attachmentOfId(externalId: string): { thread: string; key: string } | undefined {
  const [, thread, key] = /^(.+)\/attached\/([0-9a-f]{32})$/s.exec(externalId) ?? [];
  return thread && key ? { thread, key } : undefined;
}

/** Returns the readable attachments of a thread as items, and notes on those left out. */
export function listAttachments(
  thread: Thread,
  withPictures: boolean,
): { items: SourceItem[]; notes: PageNote[] } {
  const items: SourceItem[] = [];
  const notes: PageNote[] = [];
  for (const { key, url, name, isPicture } of findAttachments(thread).slice(0, mostAttached)) {
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
        // An attachment never changes: a new one gets a new URL.
        revision: revisionOf(url.href),
      });
  }
  return { items, notes };
}
