// Owns the fake Slack's authentication: its consent page, codes, and tokens that rotate as Slack's do (docs.slack.dev:
// authentication/using-token-rotation): a refresh token works once, an access token until it expires or is revoked.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Fields, MethodAnswer } from "./slack.ts";

interface Grant {
  workspace: string;
  refresh: string | undefined;
  expiresAt: number;
}

export class SlackTokens {
  /** The workspace that the consent page installs into, and how. */
  workspace = { id: "T0ACME", name: "Acme" };
  /** In seconds; undefined: tokens do not expire. */
  expiresIn: number | undefined = 43_200;
  isOrganisation = false;
  /** The number of refreshes refused because their token had been used. */
  reused = 0;
  readonly #clientId: string;
  readonly #clientSecret: string;
  readonly #codes = new Map<string, { workspace: { id: string; name: string }; redirectUri: string }>();
  readonly #grants = new Map<string, Grant>();
  readonly #used = new Set<string>();

  constructor(clientId: string, clientSecret: string) {
    this.#clientId = clientId;
    this.#clientSecret = clientSecret;
  }

  botOf(workspace: string): string {
    return `UBOT${workspace.slice(1)}`;
  }

  /** A code as the consent page issues it. */
  code(redirectUri: string): string {
    const code = randomUUID();
    this.#codes.set(code, { workspace: this.workspace, redirectUri });
    return code;
  }

  /** Serves the consent page's approve and cancel. */
  consentPage(url: URL, response: ServerResponse): void {
    const redirectUri = url.searchParams.get("redirect_uri") ?? "";
    const state = url.searchParams.get("state") ?? "";
    if (url.searchParams.get("client_id") !== this.#clientId || !redirectUri) {
      return void response.writeHead(400).end("invalid_client_id");
    }
    const back = (query: Record<string, string>) => {
      const to = new URL(redirectUri);
      for (const [name, value] of Object.entries({ ...query, state })) to.searchParams.set(name, value);
      return to.href.replaceAll("&", "&amp;");
    };
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(`<!doctype html><html lang="en"><title>Slack</title>
      <h1>Parley is requesting permission to access the ${this.workspace.name} workspace</h1>
      <p>${url.searchParams.get("scope")}</p>
      <a href="${back({ code: this.code(redirectUri) })}">Allow</a>
      <a href="${back({ error: "access_denied" })}">Cancel</a></html>`);
  }

  exchange(args: Fields): MethodAnswer {
    if (args.client_id !== this.#clientId || args.client_secret !== this.#clientSecret) {
      return { ok: false, error: "bad_client_secret" };
    }
    if (args.grant_type === "refresh_token") return this.#refresh(args.refresh_token ?? "");
    const given = this.#codes.get(args.code ?? "");
    this.#codes.delete(args.code ?? "");
    if (!given) return { ok: false, error: "invalid_code" };
    if (given.redirectUri !== args.redirect_uri) return { ok: false, error: "bad_redirect_uri" };
    return {
      ...this.#grant(given.workspace.id),
      app_id: "A0PARLEY",
      scope: "chat:write",
      bot_user_id: this.botOf(given.workspace.id),
      is_enterprise_install: this.isOrganisation,
      team: this.isOrganisation ? null : given.workspace,
      enterprise: this.isOrganisation ? { id: "E0ACME", name: "Acme Inc" } : null,
      authed_user: { id: "U0INSTALLER" },
    };
  }

  /** The workspace of a token, or Slack's error for it. */
  workspaceOf(token: string): string | MethodAnswer {
    const grant = this.#grants.get(token);
    if (!grant) return { ok: false, error: this.#used.has(token) ? "token_revoked" : "invalid_auth" };
    if (grant.expiresAt < Date.now()) return { ok: false, error: "token_expired" };
    return grant.workspace;
  }

  revoke(workspace: string): void {
    for (const [token, grant] of this.#grants) {
      if (grant.workspace !== workspace) continue;
      this.#grants.delete(token);
      this.#used.add(token);
    }
  }

  /** Expires every access token now. */
  expire(): void {
    for (const grant of this.#grants.values()) grant.expiresAt = Date.now() - 1;
  }

  #refresh(refresh: string): MethodAnswer {
    const found = [...this.#grants.values()].find((grant) => grant.refresh === refresh);
    if (!found) {
      if (this.#used.has(refresh)) this.reused++;
      return { ok: false, error: "invalid_refresh_token" };
    }
    found.refresh = undefined;
    this.#used.add(refresh);
    return { ...this.#grant(found.workspace), bot_user_id: this.botOf(found.workspace) };
  }

  #grant(workspace: string): MethodAnswer {
    const access = `xoxe.xoxb-${randomUUID()}`;
    const refresh = this.expiresIn === undefined ? undefined : `xoxe-1-${randomUUID()}`;
    const expiresAt =
      this.expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + this.expiresIn * 1000;
    this.#grants.set(access, { workspace, refresh, expiresAt });
    return {
      ok: true,
      token_type: "bot",
      access_token: access,
      ...(refresh ? { refresh_token: refresh, expires_in: this.expiresIn } : {}),
    };
  }
}
