// Every table of ours and whether it grows without bound: what people made stays until they delete it; what the product writes
// beside it is removed by somebody. retention.test.ts compares the list with the database.

export interface Growth {
  /** Why it does not grow without bound, or why it may. */
  because: string;
  /** What removes rows that nobody deletes, and the index that it goes by. */
  removedBy?: { what: string; index: string };
}

const people = (what: string): Growth => ({ because: `${what}: people made it, and they delete it` });
const within = (what: string): Growth => ({ because: `goes with ${what}` });
const removed = (what: string, index: string): Growth => ({
  because: "the product writes it",
  removedBy: { what, index },
});
const retention = (index: string) => removed("the retention that an admin sets", index);

export const growth: Record<string, Growth> = {
  "public.users": people("an account"),
  "public.teams": people("a team"),
  "public.permissions": { because: "as many as the code knows" },
  "public.roles": people("a role"),
  "public.team_users": people("a membership or an invitation"),
  "public.api_keys": people("a key"),
  "public.beta_signups": { because: "one per address, and limited by address and hour" },
  "public.support_tickets": people("what somebody wrote to support"),
  "public.suppressions": { because: "one per address; without it mail would go there again" },
  "public.agents": people("an agent"),
  "public.files": people("a file"),
  "public.sources": people("a source"),
  "public.vectors": people("an embedding space"),
  "public.knowledges": people("a knowledge base"),
  "public.knowledge_sources": people("a link"),
  "public.agent_knowledges": people("a link"),
  "public.documents": { because: "as many as the source has; those gone there are swept by its sync" },
  "public.document_indexes": within("its document"),
  "public.chunks": within("its document"),
  "public.chunk_words": within("its chunk"),
  "public.chunk_embeddings": within("its chunk"),
  "public.chats": people("a conversation"),
  "public.messages": people("what was said"),
  "public.apps": people("an app"),
  "public.team_imports": { because: "one per team at most: what it brought, and what is left to do" },
  "private.import_rows": within("the end of its import"),
  "public.retention": { because: "one row per kind" },
  "public.tasks": retention("tasks_finished_idx"),
  "public.task_attempts": within("its task"),
  "public.reply_passages": retention("reply_passages_created_idx"),
  "private.slack_threads": retention("private.slack_threads_created_idx"),
  "private.slack_events": removed("the Slack tick, after 3 days", "private.slack_events_created_idx"),
  "private.slack_states": removed("the next install, minutes later", "private.slack_states_expires_idx"),
  "private.slack_installations": within("the workspace's last app"),
  "private.rate_limits": removed("the hourly sweep, after 2 days", "private.rate_limits_window_idx"),
  "private.idempotency_keys": removed(
    "the hourly sweep, after 24 hours",
    "private.idempotency_keys_created_idx",
  ),
  "private.token_rotations": removed(
    "the next refresh, after 90 days",
    "private.token_rotations_started_idx",
  ),
  "private.mail_events": removed("the next report, after 90 days", "private.mail_events_created_idx"),
  "private.contested_accounts": within("its account, or its confirmation"),
  "private.proven_registrations": within("its account, or its confirmation"),
  "private.login_origins": { because: "a few per account: a login removes the oldest" },
  "private.source_credentials": within("its source"),
  "private.unwanted_objects": { because: "goes when storage has let go of the bytes" },
  "private.document_pieces": within("its document, and the end of its reading"),
  "private.builds": within("the index that it is for"),
  "private.staged_chunks": within("its build"),
  "private.listings": within("its task"),
  "private.listed_items": within("its task, and the end of the listing"),
};
