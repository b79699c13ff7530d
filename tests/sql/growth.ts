// Owns the list of every table of ours and whether it grows without bound: people's data stays until they delete it; the product's own
// records are removed by retention. retention.test.ts compares the list with the database.

export interface Growth {
  /** Why it stays bounded, or why it may grow. */
  because: string;
  /** What removes rows that nobody deletes, and the index it uses. */
  removedBy?: { what: string; index: string };
}

const people = (what: string): Growth => ({ because: `${what}: people made it, and they delete it` });
const within = (what: string): Growth => ({ because: `goes with ${what}` });
const removable = (what: string, index: string): Growth => ({
  because: "the product writes it",
  removedBy: { what, index },
});
const retention = (index: string) => removable("the retention that an admin sets", index);

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
  "public.agent_versions": people("a saved state of an agent"),
  "public.agent_tests": people("a test"),
  "public.agent_test_runs": removable(
    "the agent's next run, beyond the latest 50",
    "agent_test_runs_agent_idx",
  ),
  "public.agent_test_results": within("its run"),
  "public.files": people("a file"),
  "public.file_versions": removable(
    "the file's next version, beyond the latest 20",
    "file_versions_team_file_idx",
  ),
  "public.sources": people("a source"),
  "public.qa_entries": people("a written answer"),
  "public.vectors": people("an embedding space"),
  "public.knowledges": people("a knowledge base"),
  "public.knowledge_sources": people("a link"),
  "public.agent_knowledges": people("a link"),
  "public.documents": { because: "as many as the source has; those gone there are swept by its sync" },
  "public.document_indexes": within("its document"),
  "private.clearings": { because: "one per link or source at most; the indexing tick ends it" },
  "public.chunks": within("its document"),
  "public.chunk_words": within("its chunk"),
  "public.chunk_embeddings": within("its chunk"),
  "public.document_tables": within("its document's index"),
  "public.table_rows": within("its table"),
  "public.chats": people("a conversation"),
  "public.messages": people("what was said"),
  "public.handovers": people("a request for a person; what it says of them goes by its retention"),
  "private.handover_settings": { because: "one per team" },
  "private.handover_deliveries": within("its handover, or what that says of somebody"),
  "public.onboardings": { because: "one per team" },
  "public.gaps": within("the last of its questions"),
  "public.gap_questions": within("its reply"),
  "public.apps": people("an app"),
  "public.team_imports": { because: "one per team at most: what it brought, and what is left to do" },
  "private.import_archives": removable(
    "the hourly scan of storage, after 60 days",
    "private.import_archives_created_idx",
  ),
  "private.import_rows": removable(
    "the indexing tick, once their import is over",
    "private.import_rows_pkey",
  ),
  "public.retention": { because: "one row per kind" },
  "public.tasks": retention("tasks_finished_idx"),
  "public.task_attempts": within("its task"),
  "private.models": { because: "one per role, and those that are being replaced" },
  "private.model_budgets": { because: "one per team" },
  "private.model_reservations": removable(
    "the indexing tick, once expired",
    "private.model_reservations_expires_idx",
  ),
  "public.model_usage": removable("the indexing tick, after 800 days", "model_usage_day_idx"),
  "public.reply_passages": retention("reply_passages_created_idx"),
  "private.message_words": within("its message"),
  "private.slack_threads": retention("private.slack_threads_created_idx"),
  "private.former_slack_threads": removable(
    "the Slack tick, after 90 days",
    "private.former_slack_threads_created_idx",
  ),
  "private.slack_events": removable("the Slack tick, after 3 days", "private.slack_events_created_idx"),
  "private.slack_states": removable("the next install, minutes later", "private.slack_states_expires_idx"),
  "private.slack_installations": within("the workspace's last app"),
  "private.rate_limits": removable("the hourly sweep, after 2 days", "private.rate_limits_window_idx"),
  "private.idempotency_keys": removable(
    "the hourly sweep, after 24 hours",
    "private.idempotency_keys_created_idx",
  ),
  "private.token_rotations": removable(
    "the next refresh, after 90 days",
    "private.token_rotations_started_idx",
  ),
  "private.mail_events": removable("the next report, after 90 days", "private.mail_events_created_idx"),
  "private.contested_accounts": within("its account, or its confirmation"),
  "private.proven_registrations": within("its account, or its confirmation"),
  "private.email_changes": removable(
    "the next change that is asked for, after 24 hours",
    "private.email_changes_asked_idx",
  ),
  "private.login_origins": { because: "a few per account: a login removes the oldest" },
  "private.source_credentials": within("its source"),
  "private.roots": removable(
    "the indexing tick, once what hangs on a deleted thing is gone",
    "private.roots_detached_idx",
  ),
  "private.deleted_teams": { because: "one id per deleted team, and a person creates 30 an hour at most" },
  "private.operator_limits": { because: "one row" },
  "private.team_storage": { because: "one per team" },
  "private.storage_changes": removable(
    "the indexing tick, which adds them up every minute",
    "private.storage_changes_team_idx",
  ),
  "private.signed_uploads": removable(
    "the indexing tick, once the signed URL is no longer valid",
    "private.signed_uploads_created_idx",
  ),
  "private.unwanted_objects": { because: "goes when storage has let go of the bytes" },
  "private.document_pieces": within("its document, and the end of its reading"),
  "private.page_readings": within("its document"),
  "private.agent_addresses": {
    because: "six per agent: the oldest that it gave up goes, and all go with it",
  },
  "private.unfit_documents": within("its document, once it fits"),
  "private.builds": within("the index that it is for"),
  "private.staged_chunks": within("its build"),
  "private.listings": within("its task"),
  "private.source_pages": within("its source, and the end of a listing that no longer meets it"),
  "private.listed_items": within("its task, and the end of the listing"),
  "private.deletions": removable(
    "the indexing tick, once they can no longer be taken back",
    "private.deletions_expires_idx",
  ),
  "private.kept_objects": within("its deletion, or ten minutes"),
  "private.deleted_rows": within("its deletion"),
  "private.deleted_chunk_words": within("its deletion"),
  "private.deleted_chunk_embeddings": within("its deletion"),
};
