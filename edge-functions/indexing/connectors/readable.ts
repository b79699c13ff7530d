// Owns which files of a service are read, by their names, without loading the parsers. Pure.
import { sentenceOf } from "../../_shared/text/sentences.ts";

/** A larger file is not fetched, since it would be in memory as a whole. */
export const mostFileBytes = 25 * 1024 * 1024;

/** Documents only; parsers also read code and configuration. */
export const documentExtensions: readonly string[] = (
  "pdf docx docm dotx pptx pptm ppsx potx xlsx xlsm xltx odt ott ods ots odp otp rtf csv tsv eml epub html htm xhtml json jsonl ndjson " +
  "md markdown mdown mdx txt text log vtt srt ipynb"
).split(" ");

const isDocumentName = (name: string): boolean =>
  documentExtensions.includes(/\.([^.\s/\\]+)\s*$/.exec(name)?.[1]?.toLowerCase() ?? "");

/** Pictures in formats that models read. */
export const isPicture = (name: string, contentType = ""): boolean =>
  /^image\/(?:png|jpe?g|webp|gif)\b/i.test(contentType) || /\.(?:png|jpe?g|webp|gif)\s*$/i.test(name);

const isStill = (name: string, contentType: string) =>
  /^image\//i.test(contentType) || /\.(?:svg|bmp|ico|heic|tiff?)\s*$/i.test(name);

const isSoundOrVideo = (name: string, contentType: string) =>
  /^(?:audio|video)\//i.test(contentType) || /\.(?:mp[34]|m4[av]|mov|avi|webm|wav|ogg)\s*$/i.test(name);

/** Why a file of this kind is not read, or undefined. */
export function kindProblem(name: string, contentType: string, withPictures: boolean): string | undefined {
  if (isPicture(name, contentType)) return withPictures ? undefined : pictureOff;
  if (isStill(name, contentType)) return otherPicture;
  if (isSoundOrVideo(name, contentType)) return soundOrVideo;
  return isDocumentName(name) ? undefined : unreadFile;
}

export const tooLargeFile = sentenceOf("serviceFileLarge");
export const unreadFile = sentenceOf("serviceFileKind");
export const pictureOff = sentenceOf("pictureOff");
const otherPicture = sentenceOf("otherPicture");
const soundOrVideo = sentenceOf("soundOrVideo");
export const mayNotDownload = sentenceOf("confluenceFile");
