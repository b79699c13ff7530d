// Which Google Drive files are read, in which format, and the reasons for skipping others.

import { expect, it } from "vitest";
import { file } from "../../edge-functions/indexing/connectors/google-drive/answers.ts";
import { placesOf } from "../../edge-functions/indexing/connectors/google-drive/calls.ts";
import {
  damagedItem,
  exportOf,
  fileItem,
  revisionOfFile,
} from "../../edge-functions/indexing/connectors/google-drive/transform.ts";
import { pictureOff } from "../../edge-functions/indexing/connectors/readable.ts";
import fc from "../support/property-cases.ts";

const raw = {
  id: "file-1",
  name: "a.pdf",
  mimeType: "application/pdf",
  size: "3",
  modifiedTime: "2026-01-01T00:00:00Z",
  md5Checksum: "x",
};
const of = (more: object, withPictures = false) =>
  fileItem(file.parse({ ...raw, ...more }), { withPictures });

it("the connector reads documents by name or type, and gives the reason for skipping others", () => {
  expect(of({ webViewLink: "https://drive.google.com/x" }).item).toMatchObject({
    externalId: "file-1",
    title: "a.pdf",
    url: "https://drive.google.com/x",
  });
  expect(of({ name: "report" }).item).toBeDefined();
  expect(
    of({ name: "", mimeType: "application/vnd.google-apps.document", size: undefined }).item?.title,
  ).toBe("Untitled");
  expect(of({ name: "a.exe", mimeType: "application/octet-stream" }).note?.problem).toContain("not read");
  expect(of({ mimeType: "application/vnd.google-apps.form" }).note?.problem).toContain("not read");
  expect(of({ size: "30000000" }).note?.problem).toContain("larger");
  expect(of({ capabilities: { canDownload: false } }).note?.problem).toContain("owner");
  expect(of({ mimeType: "application/vnd.google-apps.shortcut" }).note?.problem).toContain("not followed");
  const picture = { name: "a.png", mimeType: "application/octet-stream" };
  expect(of(picture).note?.problem).toBe(pictureOff);
  expect(of(picture, true).item).toBeDefined();
  expect(of({ ...picture, size: "30000000" }, true).note?.problem).toContain("larger");
  expect(of({ name: "x", mimeType: "video/mp4" }, true).note?.problem).toContain("Audio and video");
  // A form may have any name.
  const form = { name: "a.png", mimeType: "application/vnd.google-apps.form" };
  expect(of(form, true).note?.problem).toContain("Files of this kind");
  expect(of({ name: "x", mimeType: "application/vnd.google-apps.folder" })).toEqual({});
});

it("the connector detects a changed file by content, and a document by its last change", () => {
  const one = file.parse(raw);
  expect(revisionOfFile({ ...one, modifiedTime: "2027-01-01T00:00:00Z" })).toBe(revisionOfFile(one));
  expect(revisionOfFile({ ...one, md5Checksum: "y" })).not.toBe(revisionOfFile(one));
  expect(
    exportOf(file.parse({ ...raw, mimeType: "application/vnd.google-apps.spreadsheet" }))?.extension,
  ).toBe("xlsx");
  expect(damagedItem({ id: "file-9", name: 7 })).toMatchObject({ externalId: "file-9", title: "Untitled" });
  fc.assert(fc.property(fc.jsonValue(), (value) => damagedItem(value) === undefined));
});

it("the connector calls Google's own hosts, and only one of them for tokens", () => {
  expect(placesOf("https://www.googleapis.com").token.href).toBe("https://oauth2.googleapis.com/token");
  expect(placesOf("http://127.0.0.1:1").token.href).toBe("http://127.0.0.1:1/token");
});
