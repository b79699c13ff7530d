// The matrix of the platform's own rows, which belong to no team.
import { randomUUID } from "node:crypto";
import { prefix } from "../prefix.ts";
import { atWork, nobody, type Subject } from "./cells.ts";

export const letters: Subject[] = [
  {
    table: "public.beta_signups",
    row: "a beta sign-up",
    key: (w) => ({ id: w.betaSignup }),
    select: [atWork],
    insert: { row: () => ({ email: `${prefix()}@matrix.test` }), by: nobody },
    update: { to: () => ({ name: "Changed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.support_tickets",
    row: "the viewer's support ticket",
    key: (w) => ({ id: w.supportTicket }),
    select: [atWork],
    insert: {
      row: () => ({ email: `${prefix()}@matrix.test`, subject: "Subject", message: "Message" }),
      by: nobody,
    },
    update: { to: () => ({ status: "closed" }), by: [atWork] },
    delete: nobody,
  },
  {
    table: "public.support_tickets",
    row: "the words of the viewer's support ticket",
    key: (w) => ({ id: w.supportTicket }),
    select: [atWork],
    insert: {
      row: () => ({
        email: `${prefix()}@matrix.test`,
        subject: "Subject",
        message: "Message",
        status: "closed",
      }),
      by: nobody,
    },
    update: { to: () => ({ subject: "Changed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.suppressions",
    row: "an address that gets no mail",
    key: (w) => ({ id: w.suppression }),
    select: [atWork],
    insert: { row: () => ({ email: `${prefix()}@matrix.test`, reason: "bounce" }), by: nobody },
    update: { to: () => ({ reason: "complaint" }), by: nobody },
    delete: [atWork],
  },
  {
    table: "public.retention",
    row: "after how long tasks go",
    key: () => ({ kind: "tasks" }),
    select: [atWork],
    insert: { row: () => ({ kind: "tasks", days: 30 }), by: nobody },
    update: { to: () => ({ days: 30 }), by: [atWork] },
    delete: nobody,
  },
];

/** Service-only tables without rows of a team. */
export const servicesOwn: Subject[] = [
  {
    table: "private.rate_limits",
    row: "a count of hits",
    key: () => ({ window_start: "2026-01-01 00:00:00+00" }),
    select: nobody,
    insert: { row: () => ({ key: prefix(), window_start: "2026-01-01T00:00:00Z" }), by: nobody },
    update: { to: () => ({ hits: 0 }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.deleted_teams",
    row: "a team that was deleted",
    key: (w) => ({ id: w.team }),
    select: nobody,
    insert: { row: (w) => ({ id: w.agent }), by: nobody },
    update: { to: () => ({ created_at: "2026-01-01T00:00:00Z" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.idempotency_keys",
    row: "a first answer",
    key: () => ({ route: "route" }),
    select: nobody,
    insert: {
      row: () => ({ caller: prefix(), route: "route", key: "key", body_hash: "hash" }),
      by: nobody,
    },
    update: { to: () => ({ body: "Changed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.mail_events",
    row: "a report of a mail that came back",
    key: (w) => ({ message_id: w.mark }),
    select: nobody,
    insert: {
      row: () => ({ message_id: prefix(), email: `${prefix()}@matrix.test`, kind: "bounce", final: true }),
      by: nobody,
    },
    update: { to: () => ({ final: false }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.contested_accounts",
    row: "an account that was registered more than once",
    key: (w) => ({ user_id: w.people.outsider }),
    select: nobody,
    insert: { row: (w) => ({ user_id: w.people.viewer }), by: nobody },
    update: { to: () => ({ contested_at: "2100-01-01T00:00:00Z" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.email_changes",
    row: "a change of address that waits",
    key: (w) => ({ user_id: w.people.outsider }),
    select: nobody,
    insert: {
      row: (w) => ({
        user_id: w.people.viewer,
        new_email: `${prefix()}@matrix.test`,
        new_code: `\\x${"01".repeat(32)}`,
        current_code: `\\x${"02".repeat(32)}`,
      }),
      by: nobody,
    },
    update: { to: () => ({ new_email: "changed@matrix.test" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.proven_registrations",
    row: "an account whose mailbox has shown a code",
    key: (w) => ({ user_id: w.people.outsider }),
    select: nobody,
    insert: { row: (w) => ({ user_id: w.people.viewer }), by: nobody },
    update: { to: () => ({ proven_at: "2100-01-01T00:00:00Z" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.login_origins",
    row: "where somebody has logged in from",
    key: (w) => ({ user_id: w.people.outsider }),
    select: nobody,
    insert: { row: (w) => ({ user_id: w.people.viewer, origin: prefix() }), by: nobody },
    update: { to: () => ({ origin: prefix() }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.token_rotations",
    row: "a used refresh token",
    key: (w) => ({ session_id: w.session }),
    select: nobody,
    insert: { row: () => ({ token_hash: `\\x${prefix().repeat(8)}` }), by: nobody },
    update: { to: () => ({ answer: "\\x00" }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.unwanted_objects",
    row: "a note of bytes that are to go",
    key: (w) => ({ path: `teams/${w.team}/${w.unwantedObject}` }),
    select: nobody,
    insert: { row: (w) => ({ path: `teams/${w.team}/${randomUUID()}` }), by: nobody },
    update: { to: () => ({ attempts: 9 }), by: nobody },
    delete: nobody,
  },
];

/** Supabase's own tables. Files are read and written through /v1 only, which checks `files`. */
export const supabasesOwn: Subject[] = [
  {
    table: "auth.users",
    row: "the viewer's account",
    key: (w) => ({ id: w.people.viewer }),
    select: nobody,
    insert: { row: () => ({ id: randomUUID(), email: `${prefix()}@matrix.test` }), by: nobody },
    update: { to: () => ({ email: `${prefix()}@matrix.test` }), by: nobody },
    delete: nobody,
  },
  {
    table: "storage.buckets",
    row: "a bucket",
    key: (w) => ({ id: w.bucket }),
    select: nobody,
    insert: { row: () => ({ id: prefix(), name: prefix() }), by: nobody },
    update: { to: () => ({ public: true }), by: nobody },
    delete: nobody,
  },
  {
    table: "storage.objects",
    row: "a file's bytes",
    key: (w) => ({ bucket_id: w.bucket }),
    select: nobody,
    insert: {
      row: (w) => ({ bucket_id: w.bucket, name: `teams/${w.team}/${randomUUID()}` }),
      by: nobody,
    },
    update: { to: (w) => ({ name: `teams/${w.otherTeam}/${randomUUID()}` }), by: nobody },
    delete: nobody,
  },
];
