// GitHub, synced by the worker through the real queue: trees, comparisons, threads with all comments, changes, deletions, rate limits,
// damage, an interrupted worker.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type GithubFake, startGithubFake, threadOf } from "../support/fakes/github.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let github: GithubFake;
let stand: IndexingStand;
let source: ConnectedSource;

beforeAll(async () => {
  github = await startGithubFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(github.url).host;
  stand = await startIndexingStand();
  github.repositories["Acme/Handbook"] = {
    branch: "main",
    files: {
      "README.md": "---\ntitle: Handbook\nlayout: page\n---\nWelcome to Acme.",
      "docs/leave.md": "# Leave\n\nThirty days.\n\n```sh\nleave --ask\n```",
      "docs/deep/rules.rst": "Rules\n=====\n\nRun ``go``::\n\n    go --fast\n",
      "docs/@link.md": "../README.md",
      "src/app.ts": "export {}",
    },
    issues: [1, 2, 3].map((n) =>
      threadOf(n, `Bug ${n}`, `Case ${n}.`, `2026-03-0${n}T10:00:00Z`, { state: "OPEN" }),
    ),
    discussions: [
      threadOf(7, "How long?", "How long is leave?", "2026-03-01T10:00:00Z", {
        category: { name: "Q&A" },
        comments: [
          { id: "c1", body: "Ask your lead." },
          { id: "c2", body: "Buy pills!", isMinimized: true },
          {
            id: "c3",
            body: "Thirty days.",
            isAnswer: true,
            replies: [{ body: "Thanks." }, { body: "Indeed." }, { body: "The last word." }],
          },
        ],
      }),
    ],
  };
  const config = {
    repositories: ["acme/handbook"],
    content: ["files", "issues", "discussions"],
    apiUrl: github.url,
  };
  source = await connectSource(stand, "github", config, { accessToken: github.accessToken });
});
afterAll(async () => {
  await stand?.stop();
  await github?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(() => {
  github.calls.length = 0;
});

const repository = () => {
  const found = github.repositories["Acme/Handbook"] ?? github.repositories["Globex/Guide"];
  if (!found) throw new Error("no repository");
  return found;
};
const everything = [
  "handbook#1 Bug 1",
  "handbook#2 Bug 2",
  "handbook#3 Bug 3",
  "handbook#7 How long?",
  "handbook/README.md",
  "handbook/docs/deep/rules.rst",
  "handbook/docs/leave.md",
];

describe("a source of repositories", () => {
  it("reads files, issues and discussions to their last reply, with URLs and dates of change", async () => {
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed" });
    expect(await source.titles()).toEqual(everything);
    expect(await source.contentOf("handbook/README.md")).toBe(
      "Changed: 2026-02-03\n\n# Handbook\n\nWelcome to Acme.",
    );
    expect(await source.contentOf("handbook/docs/leave.md")).toContain("```sh\nleave --ask\n```");
    expect(await source.contentOf("handbook/docs/deep/rules.rst")).toContain(
      "# Rules\n\nRun `go`:\n\n```\ngo --fast\n```",
    );
    const discussion = await source.contentOf("handbook#7 How long?");
    for (const part of [
      "Category: Q&A",
      "Changed: 2026-03-01",
      "accepted answer:\n\nThirty days.",
      "The last word.",
    ])
      expect(discussion).toContain(part);
    expect(discussion).not.toContain("pills");
    const rows = await stand.sql`
      select external_id, url from public.documents
       where source_id = ${source.id} and title in ('handbook/docs/leave.md', 'handbook#1 Bug 1') order by title`;
    expect(rows).toMatchObject([
      { external_id: "acme/handbook/issues/1", url: "https://github.example/acme/handbook/issues/1" },
      {
        external_id: "acme/handbook/files/docs/leave.md",
        url: "https://github.example/Acme/Handbook/blob/main/docs/leave.md",
      },
    ]);
    expect(github.headers[0]).toMatchObject({ "x-github-api-version": "2022-11-28" });
    await stand.expectWhole();
  });

  it("requests only the head and the latest change when nothing changed", async () => {
    await source.sync();
    // The last change is within the overlap, so its thread is read again.
    const { calls } = github;
    expect(calls).toEqual(["head", "issues since 2026-03-03T09:50:00.000Z", "discussions", "more", "more"]);
    expect(await source.titles()).toEqual(everything);
  });

  it("compares commits: changed files are read, removed or renamed ones are deleted at once", async () => {
    const { files, issues } = repository();
    const { "docs/leave.md": leave = "", "docs/deep/rules.rst": _, ...rest } = files;
    const added = { "docs/new.md": "Brand new.", "docs/@new-link.md": "new.md" };
    repository().files = { ...rest, "docs/holidays.md": leave, ...added };
    issues[0] = threadOf(1, "Bug 1", "Case solved.", "2026-03-05T10:00:00Z", { state: "CLOSED" });
    await source.sync();
    expect(github.calls).toContain("compare");
    expect(github.calls.filter((call) => call.startsWith("tree"))).toEqual([]);
    expect(await source.titles()).toEqual(
      expect.arrayContaining(["handbook/docs/holidays.md", "handbook/docs/new.md"]),
    );
    const others = ["leave.md", "deep/rules.rst", "@new-link.md"].map((path) => `handbook/docs/${path}`);
    expect((await source.titles()).filter((title) => others.includes(title))).toEqual([]);
    expect(await source.contentOf("handbook#1 Bug 1")).toContain("State: closed");
    expect(await stand.sql`select 1 from public.chunks where content like '%Case 1.%'`).toEqual([]);
    repository().files = files;
    await source.sync();
    expect(await source.titles()).toEqual(everything);
  });

  it("reads the whole tree when commits cannot be compared, and a large one folder by folder", async () => {
    repository().files["docs/more.md"] = "More.";
    github.forgotten.add(JSON.parse((await source.row())?.sync_cursor)["acme/handbook files"]);
    github.mostEntries = 3;
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    github.mostEntries = 1000;
    expect(github.calls).toEqual(
      expect.arrayContaining(["compare", "tree alone", "tree docs alone", "tree docs/deep"]),
    );
    expect(await source.titles()).toEqual([...everything, "handbook/docs/more.md"]);
    github.mostEntries = 3;
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    github.mostEntries = 1000;
    expect(await source.titles()).toEqual([...everything, "handbook/docs/more.md"]);
  });

  it("lists everything at the sync after a rewritten branch, which removes what it lost", async () => {
    const { files } = repository();
    const { "docs/more.md": _lost, ...left } = files;
    github.forgotten.add(JSON.parse((await source.row())?.sync_cursor)["acme/handbook files"]);
    repository().files = left;
    await source.sync();
    github.forgotten.clear();
    expect(await source.row()).toMatchObject({ sync_cursor: null });
    await source.sync();
    expect(await source.titles()).toEqual(everything);
    expect(await source.row()).toMatchObject({ sync_cursor: expect.any(String) });
    repository().files = files;
    await source.sync();
    expect(await source.titles()).toEqual([...everything, "handbook/docs/more.md"]);
  });

  it("removes deleted items after a full listing, and only then", async () => {
    delete repository().files["docs/more.md"];
    const [first, ...others] = repository().issues;
    repository().issues = others;
    await source.sync();
    expect(await source.titles()).toEqual(everything);
    // An unreadable node may be the missing one.
    repository().issues = [null, ...others];
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(everything);
    repository().issues = others;
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything.slice(1));
    repository().issues = [first ?? null, ...others];
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });

  it("loads missing parts, skips oversized items with the reason, fails damaged ones alone", async () => {
    repository().files["docs/long.txt"] = `${"A long story. ".repeat(450)}The end.`;
    repository().files["docs/dump.txt"] = "x".repeat(5 * 1024 * 1024 + 1);
    repository().files["docs/bytes.txt"] = "a\0b";
    repository().issues.push({ number: 9, title: "Broken", comments: null });
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
    expect(await source.contentOf("handbook/docs/long.txt")).toMatch(/The end\.$/);
    const documents = await source.documents();
    const errorOf = (title: string) => documents.find((one) => one.title === title)?.error;
    expect(errorOf("handbook#9 Broken")).toContain("form that cannot be read");
    expect(errorOf("handbook/docs/bytes.txt")).toContain("does not contain text");
    expect(await source.titles()).not.toContain("handbook/docs/dump.txt");
    expect(
      await stand.sql`select address, problem from private.source_pages where source_id = ${source.id}`,
    ).toEqual([
      {
        address: "https://github.example/Acme/Handbook/blob/main/docs/dump.txt",
        problem: "The text is longer than the 5 MB that are read. Split it.",
      },
    ]);
    for (const name of ["long", "dump", "bytes"]) delete repository().files[`docs/${name}.txt`];
    repository().issues.pop();
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    expect(await source.titles()).toEqual(everything);
  });
});

describe("a partial answer of GitHub", () => {
  it("is requested in smaller pages when a query is too large, and deletes nothing", async () => {
    github.mostThreads = 1;
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    github.mostThreads = 100;
    expect(github.calls.filter((call) => call === "issues").length).toBeGreaterThan(3);
    expect(await source.titles()).toEqual(everything);
  });

  it("leads to a whole tree when a comparison is refused or keeps failing", async () => {
    const { files } = repository();
    for (const [at, status] of [422, 500].entries()) {
      repository().files = { ...files, [`docs/late-${at}.md`]: "Late." };
      const body = { message: "Server Error: Sorry, this diff is taking too long to generate." };
      github.refusals = Array.from({ length: status === 500 ? 3 : 1 }, () => ({
        status,
        body,
        path: "compare",
      }));
      expect(await source.sync()).toMatchObject({ message_code: "indexed" });
      expect(github.refusals).toEqual([]);
      expect(await source.titles()).toContain(`handbook/docs/late-${at}.md`);
      // A full one.
      await source.sync();
    }
    repository().files = files;
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });

  it("keeps files that an oversized folder no longer lists, and says so", async () => {
    github.mostEntries = 1;
    github.mostInFolder = 1;
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    github.mostEntries = github.mostInFolder = 1000;
    expect(await source.titles()).toEqual(everything);
    const notes = () => stand.sql`select problem from private.source_pages where source_id = ${source.id}`;
    expect((await notes())[0]?.problem).toContain("lists only part of this folder");
    await source.sync({ whole: true });
    expect(await notes()).toEqual([]);
  });

  it("names a missing comment, and a file stored elsewhere", async () => {
    const { files, issues } = repository();
    const [first = null, ...others] = issues;
    const said = { comments: [{ id: "c8", body: "Seen." }, null] };
    repository().issues = [threadOf(1, "Bug 1", "Case 1.", "2026-03-01T10:00:00Z", said), ...others];
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;
    repository().files = { ...files, "docs/large.md": pointer };
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
    expect(await source.contentOf("handbook#1 Bug 1")).toMatch(
      /Seen\.\n\n\(A comment could not be read\.\)$/,
    );
    const notes = () => stand.sql`select note from public.documents where note is not null`;
    expect(await notes()).toEqual([{ note: expect.stringContaining("did not send all comments") }]);
    const large = (await source.documents()).find(({ title }) => title === "handbook/docs/large.md");
    expect(large?.error).toContain("is kept in Git LFS");
    repository().files = files;
    repository().issues = [first, ...others];
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
    expect(await notes()).toEqual([]);
  });

  it("follows a renamed repository for existing documents", async () => {
    const whole = repository();
    github.repositories = { "Globex/Guide": whole };
    github.moved = { "acme/handbook": "Globex/Guide" };
    const ids = () => stand.sql`select id from public.documents where source_id = ${source.id} order by id`;
    const before = await ids();
    repository().files["docs/new.md"] = "New.";
    expect(await source.sync()).toMatchObject({ message_code: "indexed" });
    expect(github.calls).toContain("compare");
    delete repository().files["docs/new.md"];
    await source.sync({ whole: true });
    expect(await ids()).toEqual(before);
    const urls = await stand.sql`select url from public.documents where source_id = ${source.id}`;
    expect(urls).toContainEqual({ url: "https://github.example/Globex/Guide/blob/main/docs/leave.md" });
    github.moved = {};
    github.repositories = { "Acme/Handbook": whole };
    await source.sync({ whole: true });
  });
});

describe("when GitHub refuses", () => {
  const reset = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
  it.each([
    [
      "its hourly limit, as a 403",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(1800) } },
      1500,
    ],
    [
      "its hourly limit, as a 429",
      { status: 429, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(1800) } },
      1500,
    ],
    ["a secondary limit with a time", { status: 403, headers: { "retry-after": "120" } }, 60],
    [
      "a secondary limit in words",
      { status: 403, body: { message: "You have exceeded a secondary rate limit." } },
      30,
    ],
    [
      "a secondary limit in the words of a 200",
      { status: 200, body: { message: "You have exceeded a secondary rate limit." } },
      30,
    ],
    [
      "a limit within a GraphQL answer",
      {
        status: 200,
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(1800) },
        body: { errors: [{ type: "RATE_LIMIT" }] },
      },
      1500,
    ],
  ])("waits as long as requested: %s", async (_, refusal, least) => {
    github.refusals = [refusal];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
    const [row] =
      await stand.sql`select extract(epoch from run_after - now()) as seconds from public.tasks where id = ${task.id}`;
    expect(Number(row?.seconds)).toBeGreaterThan(least);
    expect((await source.row())?.error).toBe("GitHub asks to be called less often.");
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(everything);
  });

  it("resumes after a rate limit in the middle, and requests no page twice", async () => {
    github.refusals = [{ status: 429, headers: { "retry-after": "120" }, path: "cursor-2" }];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting" });
    expect(github.calls.filter((call) => call === "issues")).toHaveLength(1);
    expect(await source.titles()).toEqual(everything);
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect(github.calls.filter((call) => call === "issues")).toHaveLength(2);
    expect(github.calls.filter((call) => call.startsWith("tree"))).toHaveLength(1);
    expect(await source.titles()).toEqual(everything);
  });

  it("lists over many slices, each a page", async () => {
    await source.queue();
    await stand.settle(stand.ticker({ turnMs: 0 }));
    expect(github.calls.filter((call) => call === "issues")).toHaveLength(2);
    expect(await source.titles()).toEqual(everything);
  });

  it("gives instructions for a token, a repository and a permission, and loses nothing", async () => {
    await source.logIn({ accessToken: "no-longer-good" });
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "failed", message_code: "sourceRefused", attempts: 1 });
    expect(task.error).toContain("does not accept these credentials");
    expect(task.error).not.toContain("no-longer-good");
    await source.logIn({ accessToken: github.accessToken });
    const { "Acme/Handbook": whole } = github.repositories;
    github.repositories = {};
    expect((await source.sync({ whole: true })).error).toContain("GitHub shows no repository acme/handbook");
    if (whole) github.repositories["Acme/Handbook"] = whole;
    github.denied.add("issues");
    expect((await source.sync({ whole: true })).error).toContain(
      "does not let this token read the issues of acme/handbook",
    );
    github.denied.clear();
    // An unreadable tree is no empty one.
    github.refusals = [{ status: 404, path: "git/trees" }];
    expect((await source.sync({ whole: true })).status).toBe("failed");
    github.refusals = [{ status: 301, path: "git/trees" }];
    expect((await source.sync({ whole: true })).error).toContain("was renamed");
    github.refusals = [{ status: 451, path: "git/trees" }];
    expect((await source.sync({ whole: true })).error).toContain("GitHub has blocked this repository");
    expect(await source.titles()).toEqual(everything);
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
  });
});

it("a sync reads only folders in the source's settings, whatever a document's id claims", async () => {
  await stand.sql`update public.sources set config = config || '{"folders": ["/docs/deep/"], "content": ["files"]}' where id = ${source.id}`;
  await source.sync();
  expect(await source.titles()).toEqual(["handbook/docs/deep/rules.rst"]);
});
