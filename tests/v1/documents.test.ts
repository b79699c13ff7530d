// Documents of a source: added as text, parsed from files, indexed, changed and deleted.
import { createHash, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newKnowledge, until, waitUntilIndexed } from "../support/content.ts";

let team: Team;
let knowledge: { id: string; sourceIds: string[] };
beforeAll(async () => {
  team = await newTeam();
  knowledge = await newKnowledge(team, { "first.md": "# First\n\nThe first document." });
});
const path = (id = "") => `${team.path}/sources/${knowledge.sourceIds[0]}/documents${id && `/${id}`}`;
const text = (values: object = {}) => ({
  externalId: randomUUID(),
  title: "Parking",
  content: "Parking is free in the yard.",
  ...values,
});

describe("a document added as text", () => {
  test("is indexed automatically and found by either id", async () => {
    const values = text({ externalId: "yard/1 é?", url: "https://example.com/parking", type: "page" });
    const { status, body } = await team.owner.post(path(), values);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...values,
      sourceId: knowledge.sourceIds[0],
      status: "queued",
      contentHash: createHash("sha256").update(values.content).digest("hex"),
      error: null,
    });
    const ready = await until(
      () => team.owner.get(path(body.id)),
      ({ body }) => body.status === "ready",
    );
    expect(ready.body).toMatchObject({ chunksCount: 1, content: values.content });
    const external = await team.owner.get(`${path()}/external/${encodeURIComponent(values.externalId)}`);
    expect(external.body).toEqual(ready.body);
    expect((await team.owner.get(`${path()}/external/none`)).status).toBe(404);
    // Listing the files leaves it unchanged.
    await team.owner.post(`${team.path}/sources/${knowledge.sourceIds[0]}/loadDocuments`);
    await waitUntilIndexed(team, knowledge.id);
    expect((await team.owner.get(path(body.id))).status).toBe(200);
  });

  test("has its text's language, or the one an editor sets, and is found by its word forms", async () => {
    const content =
      "Les billets de train sont remboursés sous trente jours. Demandez d'abord à votre responsable.";
    const { body } = await team.owner.post(path(), text({ title: "Trains", content }));
    expect(body).toMatchObject({ language: null, detectedLanguage: null });
    await waitUntilIndexed(team, knowledge.id);
    expect((await team.owner.get(path(body.id))).body).toMatchObject({
      language: null,
      detectedLanguage: "fr",
    });
    const records = `${team.path}/knowledges/${knowledge.id}/records?query=remboursement`;
    expect((await team.owner.get(records)).body.data[0]).toMatchObject({ title: "Trains", textRank: 1 });
    const changed = await team.owner.put(path(body.id), { language: "en" });
    expect(changed).toMatchObject({
      status: 200,
      body: { language: "en", detectedLanguage: "fr", status: "queued" },
    });
    await waitUntilIndexed(team, knowledge.id);
    expect((await team.owner.get(records)).body.data[0]?.textRank ?? null).toBeNull();
    expect((await team.owner.put(path(body.id), { language: null })).body).toMatchObject({ language: null });
    for (const values of [{ language: "xx" }, { detectedLanguage: "en" }])
      expect((await team.owner.put(path(body.id), values)).status).toBe(400);
    await waitUntilIndexed(team, knowledge.id);
  });

  test("is indexed again after a change", async () => {
    const { body } = await team.owner.post(path(), text());
    await waitUntilIndexed(team, knowledge.id);
    const changed = await team.owner.put(path(body.id), {
      content: "Parking costs two coins.",
      title: "Parking fees",
    });
    expect(changed).toMatchObject({ status: 200, body: { status: "queued", title: "Parking fees" } });
    expect(changed.body.contentHash).not.toBe(body.contentHash);
    await waitUntilIndexed(team, knowledge.id);
    expect((await team.owner.get(path(body.id))).body).toMatchObject({
      status: "ready",
      content: "Parking costs two coins.",
    });
    const { body: index } = await team.owner.get(`${path(body.id)}/index`);
    expect(index).toMatchObject({
      status: "ready",
      chunksCount: 1,
      indexes: [
        { knowledgeId: knowledge.id, status: "ready", chunksCount: 1, indexedAt: expect.any(String) },
      ],
    });
    const again = await team.owner.post(`${path(body.id)}/index`);
    expect(again).toMatchObject({ status: 202, body: { taskId: expect.any(String) } });
  });

  test("exists once per external id", async () => {
    const values = text();
    expect((await team.owner.post(path(), values)).status).toBe(201);
    expect(await team.owner.post(path(), values)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  });

  test("is deleted once, and removed from the index", async () => {
    const { body } = await team.owner.post(path(), text());
    await waitUntilIndexed(team, knowledge.id);
    const before = (await team.owner.get(`${team.path}/knowledges/${knowledge.id}`)).body.documentsCount;
    expect((await team.owner.delete(path(body.id))).status).toBe(204);
    expect((await team.owner.delete(path(body.id))).status).toBe(404);
    expect((await waitUntilIndexed(team, knowledge.id)).body.documentsCount).toBe(before - 1);
  });
});

describe("a document of a file", () => {
  const file = async () =>
    (await team.owner.get(`${path()}?type=file`)).body.data.find(
      ({ title }: { title: string }) => title === "first.md",
    );

  test("has the parsed text and its structure", async () => {
    const { body } = await team.owner.get(path((await file()).id));
    expect(body).toMatchObject({
      type: "file",
      status: "ready",
      content: expect.stringContaining("The first document."),
    });
    expect(body.structure.spans.length).toBeGreaterThan(0);
    expect(Object.keys(body.structure).sort()).toEqual(["spans", "textHash"]);
  });

  test("says in the caller's language what was guessed when it was read", async () => {
    const { sourceIds } = await newKnowledge(team, { "prices.csv": "1,,3\n4,5\n" });
    const documents = `${team.path}/sources/${sourceIds[0]}/documents`;
    const { id } = (await team.owner.get(documents)).body.data[0];
    const { body } = await team.owner.get(`${documents}/${id}`, { headers: { "Accept-Language": "fr" } });
    expect(body.warnings).toEqual([expect.stringMatching(/^La première ligne du tableau .* numérotées\.$/)]);
    expect(Object.keys(body.structure).sort()).toEqual(["spans", "textHash"]);
    expect((await team.owner.get(path((await file()).id))).body.warnings).toEqual([]);
  });

  test("is changed through its file only", async () => {
    const { id } = await file();
    expect((await team.owner.put(path(id), { content: "Other." })).status).toBe(409);
    expect((await team.owner.post(path(), text({ type: "file" }))).status).toBe(400);
    expect((await team.owner.get(path(id))).body.content).toContain("The first document.");
  });
});

test("the list pages with a stable key while rows are added, and filters", async () => {
  const mine = await newTeam();
  const { body: source } = await mine.owner.post(`${mine.path}/sources`, { type: "file", name: "Texts" });
  const at = `${mine.path}/sources/${source.id}/documents`;
  const add = (externalId: string, type = "note") => mine.owner.post(at, text({ externalId, type }));
  for (const id of ["1", "2", "3", "4", "5"]) await add(id, Number(id) % 2 ? "odd" : "even");
  const ids = (body: { data: { externalId: string }[] }) => body.data.map(({ externalId }) => externalId);
  const first = (await mine.owner.get(`${at}?perPage=2`)).body;
  expect(ids(first)).toEqual(["1", "2"]);
  await add("6");
  await mine.owner.delete(`${at}/${first.data[0].id}`);
  const second = (await mine.owner.get(`${at}?perPage=2&lastKey=${first.lastKey}`)).body;
  expect(ids(second)).toEqual(["3", "4"]);
  const third = (await mine.owner.get(`${at}?perPage=2&lastKey=${second.lastKey}`)).body;
  expect(ids(third)).toEqual(["5", "6"]);
  expect(third.lastKey).toBeNull();
  expect(ids((await mine.owner.get(`${at}?type=even`)).body)).toEqual(["2", "4"]);
  expect(ids((await mine.owner.get(`${at}?externalId=3`)).body)).toEqual(["3"]);
  for (const query of ["?lastKey=nonsense", "?perPage=0", "?perPage=101"])
    expect((await mine.owner.get(at + query)).status).toBe(400);
  expect((await mine.owner.call("DELETE", `${at}?type=even`)).status).toBe(204);
  expect(ids((await mine.owner.get(at)).body)).toEqual(["3", "5", "6"]);
  expect((await mine.owner.call("DELETE", at)).status).toBe(204);
  expect(ids((await mine.owner.get(at)).body)).toEqual([]);
});

describe("what is refused", () => {
  test.each([
    ["no content", { content: undefined }],
    ["an empty content", { content: "" }],
    ["no title", { title: undefined }],
    ["no external id", { externalId: undefined }],
    ["an address that is no web page", { url: "javascript:alert(1)" }],
    ["an unknown field", { status: "ready" }],
    ["a NUL", { content: "a\0b" }],
  ])("%s", async (_what, values) => {
    expect(await team.owner.post(path(), text(values))).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED" },
    });
  });

  test("viewers change nothing, outsiders see nothing, and no source exposes another's documents", async () => {
    const { body } = await team.owner.post(path(), text());
    const viewer = await newMember(team, "viewer");
    expect((await viewer.get(path(body.id))).status).toBe(200);
    expect((await viewer.post(path(), text())).status).toBe(403);
    expect((await viewer.put(path(body.id), { title: "x" })).status).toBe(403);
    expect((await viewer.delete(path(body.id))).status).toBe(403);
    expect((await viewer.call("DELETE", path())).status).toBe(403);
    expect((await viewer.post(`${path(body.id)}/index`)).status).toBe(403);
    const outsider = await newPerson();
    expect((await outsider.get(path(body.id))).status).toBe(404);
    expect((await outsider.get(`${path(body.id)}/index`)).status).toBe(404);
    const { body: other } = await team.owner.post(`${team.path}/sources`, { type: "file", name: "Other" });
    const astray = `${team.path}/sources/${other.id}/documents/${body.id}`;
    expect((await team.owner.get(astray)).status).toBe(404);
    expect((await team.owner.put(astray, { title: "x" })).status).toBe(404);
    expect((await team.owner.delete(astray)).status).toBe(404);
    expect((await team.owner.get(path(body.id))).body).toMatchObject({ title: body.title });
  });
});

test("documents whose passages are being removed show at once what is left of them", async () => {
  const { id, sourceIds } = await newKnowledge(team, { "left.md": "# Left\n\nA document that leaves." });
  await waitUntilIndexed(team, id);
  const documents = `${team.path}/sources/${sourceIds[0]}/documents`;
  const { body: agent } = await team.owner.post(`${team.path}/agents`, { name: "Agent" });
  const sql = await owner();
  await sql`delete from public.document_indexes where knowledge_id = ${id}`;
  const list = async (query = "") => (await team.owner.get(documents + query)).body.data;
  const [document] = await list();
  expect(document).toMatchObject({ status: "ready", chunksCount: 1 });
  // Nobody gets to it, since an agent is no knowledge base.
  await sql`
    insert into private.clearings (team_id, source_id, knowledge_id) values (${team.id}, ${sourceIds[0] ?? ""}, ${agent.id})`;
  const gone = { status: "none", chunksCount: 0 };
  expect(await list()).toMatchObject([gone]);
  expect([await list("?status=ready"), await list("?status=none")]).toMatchObject([[], [gone]]);
  const external = `${documents}/external/${encodeURIComponent(document.externalId)}`;
  for (const path of [`${documents}/${document.id}`, `${documents}/${document.id}/index`, external])
    expect((await team.owner.get(path)).body, path).toMatchObject(gone);
  await sql`delete from private.clearings where source_id = ${sourceIds[0] ?? ""}`;
  expect(await list()).toMatchObject([{ status: "ready" }]);
});
