// Documents that do not fit into their team's storage: they are requested from their service again only when they or the room change.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type FakeFile, type GoogleDriveFake, startGoogleDriveFake } from "../support/fakes/google-drive.ts";
import { issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

const mib = 1024 * 1024;
const large = "Everything about this case, at length. ".repeat(250);
let drive: GoogleDriveFake;
let jira: JiraFake;
let stand: IndexingStand;

beforeAll(async () => {
  drive = await startGoogleDriveFake();
  jira = await startJiraFake();
  process.env.PARLEY_OUTBOUND_ALLOW = [drive, jira].map(({ url }) => new URL(url).host).join(",");
  process.env.TEAM_STORAGE_MIB = "1";
  stand = await startIndexingStand();
});
afterAll(async () => {
  await stand?.stop();
  await drive?.close();
  await jira?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
  delete process.env.TEAM_STORAGE_MIB;
});
beforeEach(() => {
  drive.calls.length = 0;
  jira.calls.length = 0;
});

/** Leaves the team this many bytes, or that many too few. */
async function leave(bytes: number): Promise<void> {
  await stand.sql`
    insert into private.storage_changes (team_id, bytes, is_checked)
    values (${stand.team}, ${mib - bytes} - private.storage_used(${stand.team}), false)`;
}

describe("a file of a service", () => {
  let source: ConnectedSource;
  let file: FakeFile;
  const fileOf = (name: string, content: string): FakeFile => ({
    id: `file-of-${name}`,
    name,
    mimeType: "text/plain",
    content,
    modified: "2026-03-01T10:00:00.000Z",
  });
  const fetches = () => drive.calls.filter((call) => call.startsWith(`bytes ${file.id}`)).length;
  const embeddings = () => stand.openai.requests.length;
  const unfit = (used = 0) =>
    new RegExp(`^“large” does not fit: the team stores ${used} of the 1 MiB that it may`);

  beforeAll(async () => {
    file = fileOf("large", large);
    drive.files = [fileOf("small", "Few words."), file];
    source = await connectSource(
      stand,
      "googleDrive",
      { folders: [], apiUrl: drive.url },
      { key: drive.key },
    );
    await leave(9_000);
    expect(await source.sync()).toMatchObject({ message_code: "indexedWithFailures" });
    expect(await source.document("large")).toMatchObject({ status: "failed", content: null });
    expect((await source.document("large"))?.error).toMatch(unfit());
  });

  it.each([true, false])("is not fetched again while it does not fit (a full sync: %s)", async (whole) => {
    const before = embeddings();
    expect(await source.sync({ whole })).toMatchObject({
      status: "succeeded",
      message_code: "indexedWithFailures",
    });
    expect([fetches(), embeddings() - before]).toEqual([0, 0]);
    expect((await source.document("large"))?.error).toMatch(unfit());
    expect((await source.row())?.error).toBeNull();
  });

  it("says how full the team is now, and on its source that nothing fits", async () => {
    await leave(-1.5 * mib);
    await source.sync();
    expect(fetches()).toBe(0);
    expect((await source.document("large"))?.error).toMatch(unfit(2));
    expect((await source.row())?.error).toMatch(/^The team stores 2 of the 1 MiB that it may/);
    await leave(9_000);
  });

  it("is tried again when a person asks for this document, and when its knowledge base cuts it differently", async () => {
    const document = (await source.document("large"))?.id ?? "";
    await stand.enqueue("index", { document });
    await stand.settle();
    expect(fetches()).toBe(1);
    await source.sync();
    expect(fetches()).toBe(1);
    await stand.sql`update public.knowledges set chunk_max_tokens = 300 where id = ${source.knowledge}`;
    await source.sync();
    expect(fetches()).toBe(2);
    await source.sync();
    expect(fetches()).toBe(2);
  });

  it("is fetched when it has changed, and keeps its text when it grows beyond the room", async () => {
    Object.assign(file, { content: "Short by now.", modified: "2026-04-01T10:00:00.000Z" });
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    expect([fetches(), await source.contentOf("large")]).toEqual([1, "Short by now."]);
    Object.assign(file, { content: large, modified: "2026-05-01T10:00:00.000Z" });
    await leave(9_000);
    for (let sync = 0; sync < 3; sync++) await source.sync({ whole: true });
    expect([fetches(), await source.contentOf("large")]).toEqual([2, "Short by now."]);
    expect(await source.document("large")).toMatchObject({ status: "failed", chunks_count: 1 });
  });

  it("is fetched by the next sync once there is room", async () => {
    await leave(900_000);
    expect(await source.sync()).toMatchObject({ message_code: "indexed" });
    expect([fetches(), await source.contentOf("large")]).toEqual([1, large.trim()]);
    expect(await stand.sql`select 1 from private.unfit_documents where team_id = ${stand.team}`).toEqual([]);
    await leave(1000);
    await stand.sql`update public.knowledges set chunk_max_tokens = 200 where id = ${source.knowledge}`;
    expect(await source.sync(), "a full team re-indexes what it has").toMatchObject({
      message_code: "indexed",
    });
  });

  it("is not embedded again when its text fits and its passages do not", async () => {
    await leave(900_000);
    file = fileOf("long", large.repeat(24));
    drive.files.push(file);
    await source.sync({ whole: true });
    await stand.sql`delete from public.documents where source_id = ${source.id} and title = 'long'`;
    await leave(600_000);
    await source.sync({ whole: true });
    expect(await source.document("long")).toMatchObject({
      status: "failed",
      content: file.content?.toString().trim(),
    });
    const before = embeddings();
    await source.sync({ whole: true });
    expect(embeddings()).toBe(before);
    await leave(900_000);
    expect(await source.sync()).toMatchObject({ message_code: "indexed" });
  });

  it("is indexed when it was written in Parley and has become short enough", async () => {
    await leave(900_000);
    await stand.sql`
      insert into public.documents (team_id, source_id, external_id, type, title, content)
      values (${stand.team}, ${source.id}, 'note', 'text', 'note', ${large})`;
    await leave(5_000);
    await source.sync();
    expect(await source.document("note")).toMatchObject({ status: "failed" });
    await stand.sql`update public.documents set content = 'Short.' where source_id = ${source.id} and title = 'note'`;
    await leave(5_000);
    await source.sync();
    expect(await source.document("note")).toMatchObject({ status: "ready", error: null });
  });

  it("is not fetched again either when it ended the sync because nothing more fits", async () => {
    drive.files = [fileOf("late", large)];
    file = drive.files[0] as FakeFile;
    // Listing it takes a kibibyte.
    await leave(3000);
    await stand.sql`delete from public.documents where source_id = ${source.id}`;
    await leave(3000);
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "storageReached" });
    expect(fetches()).toBe(1);
    expect(await source.sync({ whole: true })).toMatchObject({ status: "failed", message_code: "allFailed" });
    expect(fetches()).toBe(1);
    expect((await source.document("late"))?.error).toMatch(/^“late” does not fit/);
  });
});

describe("an issue whose text is part of the listing", () => {
  it("is not requested again on its own", async () => {
    await leave(900_000);
    jira.issues = [issueOf(1, "Large", large, "2026-05-04T10:00:00.000+0000")];
    const settings = { site: jira.url, projects: ["OPS"] };
    const login = { email: jira.email, apiToken: jira.apiToken };
    const source = await connectSource(stand, "jira", settings, login);
    await leave(5_500);
    const requests = () => jira.calls.filter((call) => /\/issue\//.test(call)).length;
    await source.sync({ whole: true });
    expect((await source.documents())[0]).toMatchObject({ status: "failed", content: null });
    const before = requests();
    expect(before).toBeGreaterThan(0);
    jira.issues.push(issueOf(2, "Small", "Few words.", "2026-05-05T10:00:00.000+0000"));
    await leave(9_000);
    await source.sync({ whole: true });
    expect(await source.contentOf("OPS-2 Small")).toContain("Few words.");
    expect(requests(), "neither the one that does not fit nor the one listed with it").toBe(before);
    await leave(900_000);
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    expect(requests()).toBe(before);
  });
});
