// The user's email address with its pending change, their invitations, and their sessions.

import type { AnswerOf } from "../../client/api-calls.ts";
import type { DataContext } from "../../render/page-definition.ts";

export interface AccountData {
  sessions: AnswerOf<"GET", "/v1/auth/sessions">;
  address: AnswerOf<"GET", "/v1/auth/email">;
  /** Number of pending invitations to the address. */
  invitations: number;
}

export async function data({ request }: DataContext): Promise<AccountData> {
  const { api } = request;
  const [sessions, address, { total: invitations }] = await Promise.all([
    api.get("/v1/auth/sessions", { perPage: 50 }),
    api.get("/v1/auth/email"),
    api.get("/v1/teams/pending-invites", { perPage: 1 }),
  ]);
  return { sessions, address, invitations };
}
