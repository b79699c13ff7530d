// The person's address with the change of it that waits, what they are invited to, and where they are logged in.

import type { AnswerOf } from "../../browser/api-calls.ts";
import type { DataContext } from "../../renderer/page-definition.ts";

export interface AccountData {
  sessions: AnswerOf<"GET", "/v1/auth/sessions">;
  address: AnswerOf<"GET", "/v1/auth/email">;
  /** How many invitations wait for the address. */
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
