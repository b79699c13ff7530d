// Owns a file's content type, when the sender declares none, and its kind: document, image or other. Uses the declared type and the name;
// the parsers inspect the bytes. Pure.

const byExtension: Record<string, string> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  rtf: "application/rtf",
  epub: "application/epub+zip",
  eml: "message/rfc822",
  md: "text/markdown",
  markdown: "text/markdown",
  html: "text/html",
  htm: "text/html",
  txt: "text/plain",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  vtt: "text/vtt",
  srt: "application/x-subrip",
  ipynb: "application/x-ipynb+json",
  json: "application/json",
  jsonl: "application/x-ndjson",
  ndjson: "application/x-ndjson",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
};

const unknown = "application/octet-stream";
const documents =
  /^text\/|^message\/rfc822$|^application\/(pdf|json|x-ndjson|x-subrip|x-ipynb\+json|xml|yaml|epub\+zip|xhtml\+xml|msword|rtf|vnd\.(openxmlformats|oasis|ms-))/;

/** The declared content type, in lower case and without parameters; derived from the name if none was declared. */
export function contentTypeOf(name: string, declared: string | undefined): string {
  const given = (declared ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (given !== "" && given !== unknown && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(given)) {
    return given.slice(0, 255);
  }
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return byExtension[extension] ?? unknown;
}

/** True for pictures without scripts. Of other files a browser may run a script: it must save them. */
export const isShown = (contentType: string): boolean =>
  /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/.test(contentType);

export function typeOf(contentType: string): "document" | "image" | "other" {
  if (contentType.startsWith("image/")) return "image";
  return documents.test(contentType) ? "document" : "other";
}
