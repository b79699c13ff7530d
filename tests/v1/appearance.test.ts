// An agent's appearance: which values are accepted, through the API and past it, and who may see and change it.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { reservedAddresses } from "../../edge-functions/v1/agents/appearance.ts";
import { anyone, newMember, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent } from "../support/content.ts";
import { tinyPng } from "../support/pictures.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});
const at = (id: string) => `${team.path}/agents/${id}`;
const newAddress = () => `at-${randomUUID().slice(0, 12)}`;
const plain = {
  name: "",
  color: "",
  launcher: { icon: "chat", label: "" },
  position: "right",
  address: "",
};

describe("the appearance of an agent", () => {
  test("has defaults, stores what is given, and changes only the given values", async () => {
    const id = await newAgent(team);
    const { body: fresh } = await team.owner.get(at(id));
    expect(fresh).toMatchObject({ appearance: plain, avatar: null });
    const address = newAddress();
    const given = {
      name: " Ask us ",
      color: "#0F766E",
      launcher: { icon: "book", label: "Help" },
      position: "left",
      address: address.toUpperCase(),
    };
    const kept = { ...given, name: "Ask us", color: "#0f766e", address };
    const saved = await team.owner.put(at(id), { appearance: given });
    expect(saved).toMatchObject({ status: 200, body: { appearance: kept } });
    const label = await team.owner.put(at(id), { appearance: { launcher: { label: "" } } });
    expect(label.body.appearance).toEqual({ ...kept, launcher: { icon: "book", label: "" } });
    // A GET's body can be sent back whole.
    expect((await team.owner.put(at(id), { appearance: kept })).body.appearance).toEqual(kept);
    expect(saved.body.version).not.toBe(fresh.version);
    const late = await team.owner.put(
      at(id),
      { appearance: plain },
      { headers: { "If-Match": `"${fresh.version}"` } },
    );
    expect(late).toMatchObject({ status: 409, body: { code: "CHANGED_MEANWHILE" } });
  });

  test.each([
    ["color", "red"],
    ["color", "#fff"],
    ["color", "#12345g"],
    ["color", "#123456;background:url(//a.b)"],
    ["name", "x".repeat(61)],
    ["name", "a\u202eb"],
    ["address", "ab"],
    ["address", "a--b"],
    ["address", "-abc"],
    ["address", "a/b/c"],
    ["address", "../admin"],
    ["address", "x".repeat(33)],
    ["address", "login"],
    ["position", "top"],
    ["launcher", { icon: "<svg>" }],
    ["launcher", { label: "y".repeat(31) }],
    ["avatar", "data:image/svg+xml,x"],
  ])("refuses %s %j, through PostgREST too", async (field, value) => {
    const id = await newAgent(team);
    const refused = await team.owner.put(at(id), { appearance: { [field]: value } });
    expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(refused.body.details[0].path).toMatch(new RegExp(`^appearance.${field}`));
    const columns: Record<string, string> = { name: "display_name", position: "widget_position" };
    const [[part, inner] = ["", value]] = typeof value === "object" ? Object.entries(value) : [];
    const column = part ? `launcher_${part}` : (columns[field] ?? field);
    expect((await pastTheApi(id, { [column]: inner })).status).toBe(400);
    expect((await team.owner.get(at(id))).body).toMatchObject({ appearance: plain, avatar: null });
  });

  test("reserves the same words in Postgres", async () => {
    const sql = await owner();
    const words = [...reservedAddresses];
    const open =
      await sql`select word from unnest(${words}::text[]) as word where private.is_agent_address(word)`;
    expect(open).toEqual([]);
    const [{ source } = { source: "" }] = await sql<{ source: string }[]>`
      select prosrc as source from pg_catalog.pg_proc where proname = 'is_agent_address'`;
    expect([...source.matchAll(/'([a-z-]+)'/g)].map(([, word]) => word).sort()).toEqual(words.sort());
  });

  test("is not part of a version, and survives a restore", async () => {
    const id = await newAgent(team, { instructions: "One." });
    await team.owner.put(at(id), { instructions: "Two.", appearance: { color: "#123456" } });
    const { data } = (await team.owner.get(`${at(id)}/versions`)).body;
    await team.owner.put(at(id), { appearance: { color: "#654321" } });
    expect((await team.owner.get(`${at(id)}/versions`)).body.total).toBe(2);
    await team.owner.post(`${at(id)}/versions/${data[1].id}/restore`, {});
    expect((await team.owner.get(at(id))).body).toMatchObject({
      instructions: "One.",
      appearance: { color: "#654321" },
    });
    expect((await team.owner.post(`${at(id)}/versions`, { appearance: {} })).status).toBe(400);
  });

  test("is changed by the agent's editors, and public only with a public agent", async () => {
    const viewer = await newMember(team, "viewer");
    const other = await newTeam();
    const id = await newAgent(team, { appearance: { color: "#0f766e" } });
    const change = { appearance: { color: "#ffffff" } };
    expect((await viewer.put(at(id), change)).status).toBe(403);
    expect((await viewer.put(`${at(id)}/avatar`, { data: tinyPng })).status).toBe(403);
    expect((await viewer.delete(`${at(id)}/avatar`)).status).toBe(403);
    expect((await other.owner.put(at(id), change)).status).toBe(404);
    expect((await viewer.get(at(id))).body.appearance.color).toBe("#0f766e");
    expect((await anyone.get(`/v1/agents/${id}`)).status).toBe(404);
    await team.owner.put(at(id), { visibility: "public" });
    expect((await anyone.get(`/v1/agents/${id}`)).body.appearance.color).toBe("#0f766e");
  });
});

describe("a short address", () => {
  test("opens a public agent, redirects after a change, and stays reserved meanwhile", async () => {
    const [first, second] = [newAddress(), newAddress()];
    const id = await newAgent(team, { visibility: "public", appearance: { address: first } });
    const find = async (address: string) => (await anyone.get(`/v1/agents/${address}`)).body;
    expect(await find(first)).toMatchObject({ id, appearance: { address: first } });
    await team.owner.put(at(id), { appearance: { address: second } });
    expect(await find(first)).toMatchObject({ id, appearance: { address: second } });
    const other = await newTeam();
    const theirs = await newAgent(other);
    for (const address of [first, second]) {
      const taken = await other.owner.put(`${other.path}/agents/${theirs}`, { appearance: { address } });
      expect(taken).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    }
    // The team itself may reuse a former address for another of its agents.
    const sister = await newAgent(team, { visibility: "public" });
    const move = async (address: string) =>
      (await team.owner.put(at(sister), { appearance: { address } })).status;
    expect([await move(second), await move(first)]).toEqual([409, 200]);
    expect(await find(first)).toMatchObject({ id: sister });
    await team.owner.delete(at(id));
    expect(await find(second)).toMatchObject({ code: "NOT_FOUND" });
    expect(
      (await other.owner.put(`${other.path}/agents/${theirs}`, { appearance: { address: second } })).status,
    ).toBe(200);
  });

  test("is restored with an undeleted agent, unless it is taken by then", async () => {
    const [kept, lost] = [newAddress(), newAddress()];
    const [first, second] = [
      await newAgent(team, { appearance: { address: kept } }),
      await newAgent(team, { appearance: { address: lost } }),
    ];
    for (const id of [first, second]) await team.owner.delete(at(id));
    await newAgent(team, { appearance: { address: lost } });
    for (const id of [first, second])
      expect((await team.owner.post(`${at(id)}/restore`, {})).status).toBe(200);
    const address = async (id: string) => (await team.owner.get(at(id))).body.appearance.address;
    expect([await address(first), await address(second)]).toEqual([kept, ""]);
  });

  test("of a private agent looks like a free one", async () => {
    const address = newAddress();
    await newAgent(team, { appearance: { address } });
    const [taken, free] = await Promise.all([
      anyone.get(`/v1/agents/${address}`),
      anyone.get(`/v1/agents/${newAddress()}`),
    ]);
    const { requestId: _, ...shown } = taken.body;
    expect(taken.status).toBe(404);
    expect(free.body).toMatchObject(shown);
  });

  test("is free again after five newer ones were given up", async () => {
    const addresses = Array.from({ length: 7 }, newAddress);
    const id = await newAgent(team, { visibility: "public" });
    for (const address of addresses) await team.owner.put(at(id), { appearance: { address } });
    const status = async (address = "") => (await anyone.get(`/v1/agents/${address}`)).status;
    expect([await status(addresses[0]), await status(addresses[1])]).toEqual([404, 200]);
  });
});

describe("an avatar", () => {
  test("is served by the type of its bytes, and is removed by a second call or with the agent", async () => {
    const id = await newAgent(team, { visibility: "public" });
    const set = await team.owner.put(`${at(id)}/avatar`, { data: tinyPng });
    expect(set.body.avatar).toMatch(new RegExp(`^${at(id)}/avatar\\?v=[0-9a-f]{32}$`));
    const open = (await anyone.get(`/v1/agents/${id}`)).body.avatar;
    for (const [who, address] of [
      [team.owner, set.body.avatar],
      [anyone, open],
    ] as const) {
      const shown = await who.get(address);
      expect(shown.status).toBe(200);
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        "content-type": "image/png",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "private, max-age=3600",
      });
    }
    expect((await anyone.get(set.body.avatar)).status).toBe(401);
    await team.owner.put(at(id), { visibility: "private" });
    expect((await anyone.get(`/v1/agents/${id}/avatar`)).status).toBe(404);
    expect((await team.owner.delete(`${at(id)}/avatar`)).status).toBe(204);
    expect((await team.owner.get(at(id))).body.avatar).toBeNull();
    expect((await team.owner.get(`${at(id)}/avatar`)).status).toBe(404);
  });

  const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString("base64");
  test.each([
    ["an SVG", base64(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)],
    ["a page", base64("<!doctype html><script>alert(1)</script>")],
    ["a GIF", base64("GIF89a".padEnd(60, "x"))],
    ["a RIFF that is no WebP", base64("RIFF....WAVEfmt ".padEnd(60, "x"))],
    ["no base64", `${tinyPng.slice(0, 40)}!!!!`],
    ["nothing", ""],
    ["too much", base64(Buffer.concat([Buffer.from(tinyPng, "base64"), Buffer.alloc(128 * 1024)]))],
  ])("rejects %s, through PostgREST too", async (what, data) => {
    const id = await newAgent(team);
    expect(await team.owner.put(`${at(id)}/avatar`, { data })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED" },
    });
    if (what !== "nothing") expect((await pastTheApi(id, { avatar: data })).status).toBe(400);
    expect((await team.owner.get(at(id))).body.avatar).toBeNull();
  });
});

/** The same write with the user's own token, past the API. */
async function pastTheApi(id: string, columns: object): Promise<Response> {
  const { supabaseUrl, anonKey } = await findStack();
  return await fetch(`${supabaseUrl}/rest/v1/agents?id=eq.${id}`, {
    method: "PATCH",
    headers: {
      apikey: anonKey,
      Authorization: `Bearer ${team.owner.token}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(columns),
  });
}
