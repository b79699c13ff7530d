// Images of Confluence and Google Drive, through the worker and the real queue: skipped by default, read by the team's model when turned
// on, reported without a model, and removed when turned off.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { greyPng } from "../../edge-functions/indexing/parsers/png.ts";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type ConfluenceFake, placesOf, startConfluenceFake } from "../support/fakes/confluence.ts";
import { type GoogleDriveFake, startGoogleDriveFake } from "../support/fakes/google-drive.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";
import { say } from "../support/words.ts";

let confluence: ConfluenceFake;
let drive: GoogleDriveFake;
let vision: OpenAiFake;
let stand: IndexingStand;
const sources: Record<string, ConnectedSource> = {};

const changed = "2026-03-01T10:00:00.000Z";
const photo = greyPng({ width: 200, height: 100, grey: new Uint8Array(20_000).fill(90) });
const left = [
  { title: "film.mp4", problem: say("problems:sentences.soundOrVideo") },
  { title: "logo.svg", problem: say("problems:sentences.otherPicture") },
  { title: "photo.png", problem: say("problems:sentences.pictureOff") },
  { title: "scan", problem: say("problems:sentences.pictureOff") },
];

beforeAll(async () => {
  [confluence, drive, vision] = await Promise.all([
    startConfluenceFake(),
    startGoogleDriveFake(),
    startOpenAiFake(),
  ]);
  process.env.PARLEY_OUTBOUND_ALLOW = [
    placesOf(confluence),
    ...[drive.url, vision.baseUrl].map((url) => new URL(url).host),
  ].join(",");
  stand = await startIndexingStand();
  confluence.spaces = [
    { id: "10", key: "DOCS", name: "Docs" },
    { id: "20", key: "OTHER", name: "Others" },
  ];
  confluence.pages = [
    { id: "1", title: "Leave", space: "10", changed, storage: "<p>Thirty days.</p>" },
    { id: "2", title: "Foreign", space: "20", changed, storage: "<p>Foreign.</p>" },
    { id: "3", title: "Thrown", space: "10", changed, status: "trashed" },
  ];
  confluence.attachments = [
    { id: "att1", title: "photo.png", on: "1", changed, bytes: photo, mediaType: "image/png" },
    { id: "att2", title: "scan", on: "1", changed, bytes: photo, mediaType: "image/png" },
    { id: "att3", title: "film.mp4", on: "1", changed, bytes: "film", mediaType: "video/mp4" },
    { id: "att4", title: "logo.svg", on: "1", changed, bytes: "<svg/>", mediaType: "image/svg+xml" },
    { id: "att5", title: "foreign.png", on: "2", changed, bytes: photo, mediaType: "image/png" },
    { id: "att6", title: "thrown.png", on: "3", changed, bytes: photo, mediaType: "image/png" },
  ];
  const file = (name: string, mimeType: string, content: string | Uint8Array) => ({
    id: `file-of-${name.replace(/\W/g, "")}`,
    name,
    mimeType,
    content,
    modified: changed,
  });
  drive.files = [
    file("Leave", "text/plain", "Thirty days."),
    file("photo.png", "image/png", photo),
    file("scan", "image/png", photo),
    file("film.mp4", "video/mp4", "film"),
    file("logo.svg", "image/svg+xml", "<svg/>"),
  ];
  sources.confluence = await connectSource(
    stand,
    "confluence",
    { site: confluence.url, spaces: ["DOCS"] },
    {
      email: confluence.email,
      apiToken: confluence.apiToken,
    },
  );
  sources.googleDrive = await connectSource(
    stand,
    "googleDrive",
    { folders: [], apiUrl: drive.url },
    { key: drive.key },
  );
});
afterAll(async () => {
  await stand?.stop();
  await Promise.all([confluence?.close(), drive?.close(), vision?.stop()]);
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(async () => {
  vision.requests.length = 0;
  await stand.sql`delete from private.models`;
});

describe.each(["confluence", "googleDrive"])("a source of %s", (type) => {
  const source = () => sources[type] as ConnectedSource;
  const readPictures = (withPictures: boolean) => source().configure({ withPictures });
  const documents = async () =>
    (await source().documents()).map(({ title, content, error }) => ({ title, content, error }));
  const listSkipped = () => stand.sql`
    select title, problem from private.source_pages where source_id = ${source().id} and problem is not null order by title`;
  const leave = { title: "Leave", content: expect.stringContaining("Thirty days."), error: null };

  it("lists each image, sound and video as skipped, with what to do", async () => {
    expect(await source().sync()).toMatchObject({ message_code: "indexed" });
    expect(await documents()).toEqual([leave]);
    expect(await listSkipped()).toEqual(left);
  });

  it("reports that each image needs a model when there is none", async () => {
    await readPictures(true);
    expect(await source().sync()).toMatchObject({ message_code: "indexedWithFailures" });
    const error = expect.stringContaining("Connect a model that reads pictures under Models");
    expect(await documents()).toEqual([
      leave,
      { title: "photo.png", content: null, error },
      { title: "scan", content: null, error },
    ]);
    expect(await listSkipped()).toEqual(left.slice(0, 2));
  });

  it("has the team's model read them, once each, and removes them when turned off", async () => {
    await stand.sql`insert into private.models (team_id, role, provider, base_url, model)
      values (${stand.team}, 'vision', 'custom', ${vision.baseUrl}, 'sees')`;
    vision.reply = JSON.stringify({ text: "The bus leaves at nine.", confidence: 0.9 });
    expect(await source().sync()).toMatchObject({ message_code: "indexed" });
    const content = "The bus leaves at nine.";
    expect(await documents()).toEqual([
      leave,
      { title: "photo.png", content, error: null },
      { title: "scan", content, error: null },
    ]);
    expect(vision.requests).toHaveLength(2);
    await source().sync();
    expect(vision.requests).toHaveLength(2);
    await readPictures(false);
    expect(await source().sync()).toMatchObject({ message_code: "indexed" });
    expect(await documents()).toEqual([leave]);
    expect(await listSkipped()).toEqual(left);
    expect(await stand.sql`select 1 from public.chunks where content like '%bus leaves%'`).toEqual([]);
    await stand.expectWhole();
  });
});
