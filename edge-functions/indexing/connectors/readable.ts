// Which files of a service are read, by their names, without loading what reads them. Pure.

/** A larger file is not fetched: it would be held in memory as a whole. */
export const mostFileBytes = 25 * 1024 * 1024;

/** Documents, rather than code and configuration, which parsers read as well. */
export const documentExtensions: readonly string[] = (
  "pdf docx docm dotx pptx pptm ppsx potx xlsx xlsm xltx csv tsv eml epub html htm xhtml json jsonl ndjson " +
  "md markdown mdown mdx txt text log"
).split(" ");

export const isDocumentName = (name: string): boolean =>
  documentExtensions.includes(/\.([^.\s/\\]+)\s*$/.exec(name)?.[1]?.toLowerCase() ?? "");

/** Pictures, sound and video. Where they are part of most pages, nothing is said of those that are left out. */
export const isMedia = (name: string, contentType = ""): boolean =>
  /^(?:image|audio|video)\//i.test(contentType) ||
  /\.(?:png|jpe?g|gif|webp|svg|bmp|ico|heic|tiff?|mp[34]|m4[av]|mov|avi|webm|wav|ogg)\s*$/i.test(name);

export const tooLargeFile = "The file is larger than the 25 MB that are read. Split it, or save it smaller.";
export const unreadFile = "Files of this kind are not read. Save it as PDF, Office, text, HTML, CSV or JSON.";
export const mayNotDownload =
  "The account may not download this file. Ask its owner to let viewers download it, or leave it out.";
