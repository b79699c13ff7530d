// Opens a PDF in the browser with pdf.js, from the address that the API signs for a reader of the file. Fetches only
// what a page needs, by HTTP ranges. pdf.js is one file that the page and its worker both load, with the first page
// that is shown.
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import address from "unpdf/pdfjs?url";

const PIECE_BYTES = 256 * 1024;
/** Time for a worker to end. */
const BUSY_MS = 2_000;

export interface Reader {
  /** Ends the worker and pending requests. */
  signal: AbortSignal;
  /** Called when bytes of the file cannot be fetched, now or later. */
  onFailure(): void;
}

async function fetchBytes(url: string, begin: number, end: number, signal: AbortSignal) {
  const answer = await fetch(url, { headers: { Range: `bytes=${begin}-${end - 1}` }, signal });
  if (!answer.ok) throw new Error(`The file was answered with ${answer.status}`);
  return { isPart: answer.status === 206, bytes: new Uint8Array(await answer.arrayBuffer()) };
}

/**
 * @param size of the file, in bytes
 * @throws Error when the file cannot be fetched or parsed
 */
export async function openPdf(
  url: string,
  size: number,
  { signal, onFailure }: Reader,
): Promise<PDFDocumentProxy> {
  const pdfjs = (await import(/* @vite-ignore */ address)) as typeof import("unpdf/pdfjs");
  const first = await fetchBytes(url, 0, Math.min(size, PIECE_BYTES), signal);
  signal.throwIfAborted();
  // In a worker, so that a slow file does not block the page.
  const port = new Worker(address, { type: "module" });
  port.addEventListener("error", onFailure);
  const range = new pdfjs.PDFDataRangeTransport(size, first.bytes);
  range.requestDataRange = (begin, end) => {
    fetchBytes(url, begin, end, signal).then(({ bytes }) => range.onDataRange(begin, bytes), onFailure);
  };
  const isWhole = !first.isPart || first.bytes.length >= size;
  const task = pdfjs.getDocument({
    ...(isWhole ? { data: first.bytes } : { range }),
    // pdf.js types the port as absent.
    worker: pdfjs.PDFWorker.create({ port } as Parameters<typeof pdfjs.PDFWorker.create>[0]),
    isEvalSupported: false,
    enableXfa: false,
    // Our Content-Security-Policy does not allow compiled code.
    useWasm: false,
    disableAutoFetch: true,
    disableStream: true,
    rangeChunkSize: PIECE_BYTES,
    verbosity: 0,
  });
  signal.addEventListener("abort", () => {
    const end = () => port.terminate();
    // Removes the file's fonts from the page. A worker that is still parsing does not answer.
    void task.destroy().then(end, end);
    setTimeout(end, BUSY_MS);
  });
  return await task.promise;
}
