// Owns the sample files of browser tests: one of each format, each with a unique fact, and broken ones.
import type { Page } from "@playwright/test";
import { makePdf } from "../../support/files/pdf.ts";
import { makeDocx, makeZip, paragraph } from "../../support/files/zip.ts";

export interface SampleFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const text = (name: string, mimeType: string, content: string): SampleFile => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

/** One file of each format. */
export function goodFiles(): SampleFile[] {
  return [
    {
      name: "Travel policy.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(
        makePdf([
          [
            { text: "Travel policy", size: 22 },
            { text: "Train journeys of more than four hours are booked in first class.", down: 30 },
            { text: "Hotels cost at most 140 euros a night; receipts are kept for ten years." },
          ],
        ]),
      ),
    },
    {
      name: "Parental leave.docx",
      mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      buffer: Buffer.from(
        makeDocx(
          paragraph("Parental leave", "Heading1") +
            paragraph("Every parent takes eighteen weeks of parental leave at full salary."),
        ),
      ),
    },
    text(
      "Kitchen.md",
      "text/markdown",
      "# The kitchen\n\nThe coffee machine is descaled on the first Monday of the month with citric acid.\n",
    ),
    text(
      "Visitors.html",
      "text/html",
      "<!doctype html><title>Visitors</title><h1>Visitors</h1><p>Visitors collect a yellow badge at the reception desk.</p>",
    ),
    text(
      "Bicycles.txt",
      "text/plain",
      "Bicycles are parked in the courtyard. The gate code is changed every spring.\n",
    ),
    text("Suppliers.csv", "text/csv", "supplier,product,phone\nNordlys,desk lamps,+47 55 12 34 56\n"),
  ];
}

export const encryptedPdf = (): SampleFile => ({
  name: "Salaries encrypted.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from(makePdf([[{ text: "Nobody reads this." }]], { userPassword: "secret" })),
});

export const brokenPdf = (): SampleFile =>
  text("Broken.pdf", "application/pdf", "%PDF-1.7\nthis is where the objects would be\n");

export const emptyFile = (): SampleFile => text("Empty.txt", "text/plain", "");

export const zipNamedPdf = (): SampleFile => ({
  name: "Really a zip.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from(makeZip([{ name: "a.txt", data: "A text in an archive." }])),
});

/** Drops files on an element, as a person does. */
export async function dropFiles(page: Page, selector: string, files: SampleFile[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const { name, mimeType, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: mimeType }));
      }
      return data;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString("base64") })),
  );
  for (const event of ["dragenter", "dragover", "drop"]) {
    await page.dispatchEvent(selector, event, { dataTransfer: transfer });
  }
}
