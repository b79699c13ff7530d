// Who may complete an install of a Slack app: the person who started it, in their browser, after seeing what it connects.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Claims } from "../../edge-functions/_shared/database/db.ts";
import { confirmArrival, openArrival, type Proof } from "../../edge-functions/slack/install-confirmation.ts";
import { revokeUnusedTokensAfter } from "../../edge-functions/slack/installations.ts";
import type { DenoFunction } from "../support/deno-function.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { makeTeam } from "../support/searchable.ts";
import {
  addAgent,
  ownerClaims,
  type SlackStand,
  startSlackStand,
  workspace,
} from "../support/slack-stand.ts";

let stand: SlackStand;
let sql: Sql;
let one: DenoFunction;
let app: string;
let owner: Extract<Claims, { sub: string }>;

beforeAll(async () => {
  stand = await startSlackStand();
  sql = stand.sql;
  one = await stand.spawn();
  owner = ownerClaims(stand.team);
  app = await stand.addApp();
});
afterEach(async () => {
  stand.slack.clear();
  stand.slack.tokens.workspace = { id: workspace, name: "Acme" };
  stand.slack.tokens.isOrganisation = false;
  await sql`update public.apps set status = 'pending', workspace_id = null, workspace_name = null, connected_at = null`;
  await sql`delete from private.slack_installations`;
  await sql`delete from private.slack_states`;
});
afterAll(() => stand.stop());

/** Starts, consents and returns; resolves with the ticket that only this browser gets. */
async function comeBack(began: Parameters<SlackStand["consent"]>[1] = {}): Promise<Proof> {
  const url = await stand.back(one, await stand.consent(app, began));
  return { ticket: url.searchParams.get("ticket") ?? "" };
}

const state = async () => {
  const [row] = await sql`select status, workspace_id from public.apps where id = ${app}`;
  const tokens = await sql`select 1 from private.slack_installations`;
  return [row?.status, row?.workspace_id, tokens.length];
};
const nothing = ["pending", null, 0];

/** Another person, a member of the team with a role, or not a member. */
async function person(role?: keyof typeof systemRoleIds): Promise<Extract<Claims, { sub: string }>> {
  const id = randomUUID();
  await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`${id}@slack.test`}, '{}')`;
  if (role) {
    await sql`insert into public.team_users (team_id, user_id, email, role_id, status)
              values (${stand.team.id}, ${id}, ${`${id}@slack.test`}, ${systemRoleIds[role]}, 'accepted')`;
  }
  return { role: "authenticated", sub: id };
}

async function expectRefused(claims: Claims, proof: Proof, code: string) {
  await expect(openArrival(claims, proof)).rejects.toMatchObject({ code });
  await expect(confirmArrival(claims, proof)).rejects.toMatchObject({ code });
  expect(await state()).toEqual(nothing);
}

describe("an install", () => {
  it("connects nothing on Slack's redirect, shows what it would connect, and connects it once", async () => {
    const proof = await comeBack();
    expect(await state()).toEqual(nothing);
    // Nobody has seen it yet.
    await expect(confirmArrival(owner, proof)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await openArrival(owner, proof)).toMatchObject({
      appId: app,
      team: { id: stand.team.id, name: "Team" },
      agent: { id: stand.team.agentId, name: "Agent" },
      workspace: { id: workspace, name: "Acme" },
    });
    expect(await state()).toEqual(nothing);
    const [kept] = await sql`select encode(granted, 'escape') as granted from private.slack_states`;
    expect(kept?.granted).not.toMatch(/xox/);
    expect(await openArrival(owner, proof)).toMatchObject({ workspace: { id: workspace } });
    expect(await confirmArrival(owner, proof)).toBe(app);
    expect(await state()).toEqual(["connected", workspace, 1]);
    await expect(confirmArrival(owner, proof)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is not completed with a grant that was revoked before its person confirmed it", async () => {
    const proof = await comeBack();
    await openArrival(owner, proof);
    stand.slack.tokens.revoke(workspace);
    await expect(confirmArrival(owner, proof)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await state()).toEqual(nothing);
  });

  it("that is completed while the workspace's last app is disconnected is shown as disconnected", async () => {
    const gone = await stand.addApp({ agentId: await addAgent(sql, stand.team, "Other"), name: "Gone" });
    await stand.install(one, gone);
    const proof = await comeBack();
    await openArrival(owner, proof);
    stand.slack.next("auth.revoke", { how: "wait" });
    const disconnecting = revokeUnusedTokensAfter(
      [workspace],
      () => sql`delete from public.apps where id = ${gone}`,
    );
    await expect.poll(() => stand.slack.callsOf("auth.revoke")).toHaveLength(1);
    expect(await confirmArrival(owner, proof)).toBe(app);
    stand.slack.release();
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    await disconnecting;
    said.mockRestore();
    expect(await state()).toEqual(["disconnected", workspace, 0]);
  });

  it("is not completed by another browser with the state: its workspace is not connected", async () => {
    const victim = await person();
    await expectRefused(victim, await comeBack(), "NOT_FOUND");
    await expectRefused(await person("admin"), await comeBack(), "NOT_FOUND");
    expect(stand.slack.callsOf("oauth.v2.access")).toHaveLength(0);
  });

  it("is not completed by a person who combines their workspace with another person's state", async () => {
    stand.slack.tokens.workspace = { id: "T0EVIL", name: "Evil" };
    const attacker = ownerClaims(await makeTeam(sql));
    const proof = await comeBack();
    await expectRefused(attacker, proof, "NOT_FOUND");
    // Redirected to the person who started it, it names the workspace and waits for their confirmation.
    expect(await openArrival(owner, proof)).toMatchObject({ workspace: { name: "Evil" } });
    expect(await state()).toEqual(nothing);
  });

  it("continues only in the browser and session that started it", async () => {
    const session = randomUUID();
    await sql`insert into auth.sessions (id, user_id) values (${session}, ${owner.sub})`;
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const began = { ...owner, session_id: session };
    const proof = await comeBack({ claims: began, challenge });
    await expectRefused(began, proof, "NOT_FOUND");
    await expectRefused(began, { ...proof, verifier: randomBytes(32).toString("base64url") }, "NOT_FOUND");
    await expectRefused(owner, { ...proof, verifier }, "NOT_FOUND");
    await openArrival(began, { ...proof, verifier });
    expect(await confirmArrival(began, { ...proof, verifier })).toBe(app);
    const ended = await comeBack({ claims: began, challenge });
    await sql`delete from auth.sessions where id = ${session}`;
    await expect(openArrival(began, { ...ended, verifier })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("started by a key is completed by people who may connect the team's apps, and never by the key", async () => {
    const [key] = await sql`
      insert into public.api_keys (team_id, name, role_id, prefix, secret_hash, created_by)
      values (${stand.team.id}, 'Key', ${systemRoleIds.admin}, 'abcdefgh', ${randomBytes(32)}, ${owner.sub})
      returning id`;
    const claims: Claims = { role: "authenticated", api_key_id: key?.id, team_id: stand.team.id };
    const proof = await comeBack({ claims });
    await expectRefused(claims, proof, "NOT_FOUND");
    await expectRefused(await person(), proof, "FORBIDDEN");
    await expectRefused(await person("editor"), proof, "FORBIDDEN");
    const admin = await person("admin");
    await openArrival(admin, proof);
    expect(await confirmArrival(admin, proof)).toBe(app);
    const late = await comeBack({ claims });
    await sql`delete from public.api_keys where id = ${key?.id}`;
    await expect(openArrival(admin, late)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("needs the rights that it started with until the end, and expires", async () => {
    const admin = await person("admin");
    const proof = await comeBack({ claims: admin });
    await openArrival(admin, proof);
    await sql`update public.team_users set role_id = ${systemRoleIds.editor} where user_id = ${admin.sub}`;
    await expectRefused(admin, proof, "FORBIDDEN");
    const late = await comeBack();
    await openArrival(owner, late);
    await sql`update private.slack_states set expires_at = now() - interval '1 second'`;
    await expectRefused(owner, late, "NOT_FOUND");
  });

  it("is refused when another agent was chosen after one was shown", async () => {
    const proof = await comeBack();
    await openArrival(owner, proof);
    const [other] = await sql`
      insert into public.agents (team_id, name) values (${stand.team.id}, 'Other') returning id`;
    await sql`update public.apps set agent_id = ${other?.id} where id = ${app}`;
    await expectRefused(owner, proof, "NOT_FOUND");
    await sql`update public.apps set agent_id = ${stand.team.agentId} where id = ${app}`;
  });

  it("reports Slack's refusal", async () => {
    stand.slack.tokens.isOrganisation = true;
    await expect(openArrival(owner, await comeBack())).rejects.toMatchObject({ code: "CONFLICT" });
    const denied = await stand.back(
      one,
      (await stand.consent(app)).replace(/code=[^&]+/, "error=access_denied"),
    );
    expect(denied.search).toBe("?slack=denied");
    const forged = await stand.back(one, (await stand.consent(app)).replace(/code=[^&]+/, "code=none"));
    const proof = { ticket: forged.searchParams.get("ticket") ?? "" };
    await expect(openArrival(owner, proof)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await state()).toEqual(nothing);
  });
});
