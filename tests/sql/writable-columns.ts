// Owns the list of every column that a client may write: what acts on it, what constrains it, and which hostile values it may store.
// writable-columns.test.ts compares it with Postgres's grants. A column without a line here may not be granted to a client.
import { column, name, team, type WritableColumn } from "./writable-column.ts";

export const writableColumns: Record<string, WritableColumn> = {
  "users.name": name("users"),
  "users.locale": column("mails and pages: their language", "users_locale_check", "nothing"),
  "teams.name": name("teams"),
  "teams.codename": column(
    "addresses: stands for the id",
    "teams_codename_check teams_codename_no_id",
    "slug",
  ),
  "roles.team_id": column("policies: whose role it is", "rls roles_team_id_fkey", "nothing"),
  "roles.name": name("roles"),
  "roles.codename": column("lists: shown and filtered by", "roles_codename_check check_role", "slug"),
  "roles.permissions": column(
    "policies: what members may do",
    "rls roles_permissions_few roles_permissions_flat check_role",
    "list",
    { isArray: true },
  ),
  "team_users.team_id": team("team_users"),
  "team_users.email": column(
    "mail: where an invitation goes",
    "team_users_email_check team_users_email_address",
    "nothing",
  ),
  "team_users.role_id": column(
    "policies: what the member may do",
    "rls team_users_role_id_fkey check_team_user_role",
    "nothing",
  ),
  "team_users.status": column(
    "policies: whether they are a member",
    "team_users_status_check guard_team_user",
    "nothing",
  ),
  "api_keys.team_id": team("api_keys"),
  "api_keys.name": name("api_keys"),
  "api_keys.role_id": column(
    "policies: what the key may do",
    "rls api_keys_role_id_fkey check_api_key_role",
    "nothing",
  ),
  "api_keys.prefix": column("authentication: finds the key", "api_keys_prefix_check", "nothing", {
    alsoKeeps: { number: "“Infinity” has eight letters, as a prefix has" },
  }),
  "api_keys.secret_hash": column(
    "authentication: compared with a secret's hash",
    "api_keys_secret_hash_check",
    "nothing",
    {
      alsoKeeps: {
        inside: "32 bytes, the hash of no secret",
        prototype: "32 bytes, the hash of no secret",
      },
    },
  ),
  "agents.team_id": team("agents"),
  "agents.name": name("agents"),
  "agents.description": column("nothing: shown", "agents_description_check", "prose"),
  "agents.instructions": column(
    "answering: the model reads it for this agent",
    "agents_instructions_check",
    "prose",
    { alsoKeeps: { deep: "a text of 20,000 characters" } },
  ),
  "agents.greeting": column("nothing: shown", "agents_greeting_check", "prose"),
  "agents.suggested_prompts": column(
    "nothing: shown",
    "agents_suggested_prompts_check agents_suggested_prompts_plain agents_suggested_prompts_flat",
    "name",
    { isArray: true },
  ),
  "agents.model": column(
    "answering: the name of a model, in the body of a call",
    "agents_model_check agents_model_plain",
    "name",
    {
      alsoKeeps: { nothing: "empty is the installation's default" },
    },
  ),
  "agents.temperature": column("answering: a parameter of the model", "agents_temperature_check", "number"),
  "agents.visibility": column("policies: whether everybody may ask", "agents_visibility_check", "nothing"),
  "agents.retrieval_top_k": column("answering: how many passages", "agents_retrieval_top_k_check", "nothing"),
  "agents.retrieval_min_score": column(
    "answering: which passages",
    "agents_retrieval_min_score_check",
    "number",
  ),
  "agents.retrieval_mode": column("answering: how it searches", "agents_retrieval_mode_check", "nothing"),
  "agents.unsupported_claims": column(
    "answering: what becomes of unsupported claims",
    "agents_unsupported_claims_check",
    "nothing",
  ),
  "agents.allowed_origins": column(
    "the chat page: a header of its answer",
    "agents_allowed_origins_check agents_allowed_origins_short agents_allowed_origins_flat",
    "list",
    { isArray: true, alsoKeeps: { inside: "an origin that may embed the chat; nothing calls it" } },
  ),
  "agents.display_name": column(
    "nothing: shown",
    "agents_display_name_check agents_display_name_plain",
    "name",
    {
      alsoKeeps: { nothing: "empty is the agent's own name" },
    },
  ),
  "agents.color": column("the chat page: a value in a style", "agents_color_check", "nothing", {
    alsoKeeps: { nothing: "empty is our own colour" },
  }),
  "agents.launcher_icon": column("the widget: which icon", "agents_launcher_icon_check", "nothing"),
  "agents.launcher_label": column(
    "nothing: shown",
    "agents_launcher_label_check agents_launcher_label_plain",
    "name",
    {
      alsoKeeps: { nothing: "empty is no label" },
    },
  ),
  "agents.widget_position": column("the widget: which corner", "agents_widget_position_check", "nothing"),
  "agents.address": column(
    "the chat page: part of its address",
    "agents_address_check hold_address",
    "slug",
    {
      alsoKeeps: { nothing: "empty is no address" },
    },
  ),
  "agents.avatar": column("the chat page: a picture, by its bytes", "agents_avatar_check", "nothing", {
    alsoKeeps: { nothing: "empty is no picture" },
  }),
  "agent_tests.team_id": column(
    "policies: whose test it is",
    "rls agent_tests_team_id_agent_id_fkey",
    "nothing",
  ),
  "agent_tests.agent_id": column(
    "testing: which agent is asked",
    "rls agent_tests_team_id_agent_id_fkey",
    "nothing",
  ),
  "agent_tests.question": column("testing: what the agent is asked", "agent_tests_question_check", "prose", {
    alsoKeeps: { deep: "a text of 20,000 characters" },
  }),
  "agent_tests.facts": column(
    "testing: looked for in answers, and shown to the model that judges",
    "agent_tests_facts_check agent_tests_facts_plain agent_tests_facts_flat agent_tests_expects",
    "name",
    { isArray: true },
  ),
  "agent_tests.expected_document_id": column(
    "testing: looked for among the citations",
    "rls agent_tests_team_id_expected_document_id_fkey check_agent_test",
    "nothing",
  ),
  "agent_tests.must_refuse": column("testing: what is right", "agent_tests_expects", "flag"),
  "agent_tests.message_id": column(
    "nothing: where the test comes from",
    "rls agent_tests_team_id_message_id_fkey",
    "nothing",
  ),
  "agent_test_results.overruled": column(
    "testing: counts in place of the judge's verdict",
    "agent_test_results_overruled_check note_overruling",
    "nothing",
  ),
  "gaps.is_dismissed": column("lists: whether it is shown as open", "rls", "flag"),
  "qa_entries.team_id": column(
    "policies: whose it is",
    "rls check_qa_entry qa_entries_team_id_source_id_fkey",
    "nothing",
  ),
  "qa_entries.source_id": column(
    "indexing: which knowledge bases have it",
    "rls check_qa_entry qa_entries_team_id_source_id_fkey",
    "nothing",
  ),
  "qa_entries.question": column("indexing: the title of its document", "qa_entries_question_check", "prose"),
  "qa_entries.answer": column("indexing: what agents answer from", "qa_entries_answer_check", "prose", {
    alsoKeeps: { deep: "a text of 20,000 characters" },
  }),
  "qa_entries.owner_id": column("nothing: shown", "check_qa_entry qa_entries_owner_id_fkey", "nothing"),
  "qa_entries.expires_at": column(
    "indexing: when it stops answering",
    "qa_entries_expires_at_check",
    "nothing",
    {
      alsoKeeps: { time: "a date" },
    },
  ),
  "sources.team_id": team("sources"),
  "sources.type": column(
    "indexing: which connector reads it",
    "sources_type_check sources_config_of_type",
    "nothing",
  ),
  "sources.name": name("sources"),
  "sources.config": column(
    "indexing: where the connector calls and what it reads; checked again there",
    "sources_config_check sources_config_of_type check_source_agent check_source_files reset_source",
    "nothing",
    { alsoKeeps: { wrongType: "{}: no settings yet" } },
  ),
  "sources.schedule": column(
    "indexing: when it is read again",
    "sources_schedule_check plan_sync",
    "nothing",
  ),
  "vectors.name": name("vectors"),
  "vectors.model": column(
    "indexing: the name of a model; platform admins alone",
    "rls vectors_model_check",
    "prose",
  ),
  "vectors.dimensions": column("indexing: the length of a vector", "rls vectors_dimensions_check", "nothing"),
  "vectors.status": column("indexing: which space is used", "rls vectors_status_check", "nothing"),
  "knowledges.team_id": team("knowledges"),
  "knowledges.name": name("knowledges"),
  "knowledges.description": column("nothing: shown", "knowledges_description_check", "prose"),
  "knowledges.language": column("search: the dictionary", "knowledges_language_check", "nothing"),
  "knowledges.chunk_max_tokens": column(
    "indexing: where texts are cut",
    "knowledges_chunk_max_tokens_check knowledges_check",
    "nothing",
  ),
  "knowledges.chunk_overlap_tokens": column(
    "indexing: where texts are cut",
    "knowledges_chunk_overlap_tokens_check knowledges_check",
    "number",
  ),
  "knowledges.warn_after_days": column(
    "nothing: when the team is warned",
    "knowledges_warn_after_days_check",
    "nothing",
  ),
  "knowledge_sources.team_id": column(
    "policies: whose link it is",
    "rls knowledge_sources_team_id_knowledge_id_fkey",
    "nothing",
  ),
  "knowledge_sources.knowledge_id": column(
    "indexing: what is indexed",
    "rls knowledge_sources_team_id_knowledge_id_fkey",
    "nothing",
  ),
  "knowledge_sources.source_id": column(
    "indexing: what is read",
    "rls knowledge_sources_team_id_source_id_fkey",
    "nothing",
  ),
  "agent_knowledges.team_id": column(
    "policies: whose link it is",
    "rls agent_knowledges_team_id_agent_id_fkey",
    "nothing",
  ),
  "agent_knowledges.agent_id": column(
    "answering: who searches",
    "rls agent_knowledges_team_id_agent_id_fkey",
    "nothing",
  ),
  "agent_knowledges.knowledge_id": column(
    "answering: what is searched",
    "rls agent_knowledges_team_id_knowledge_id_fkey",
    "nothing",
  ),
  "documents.team_id": column("policies: whose row it is", "rls documents_team_id_source_id_fkey", "nothing"),
  "documents.source_id": column(
    "indexing: in which knowledges it is",
    "rls documents_team_id_source_id_fkey",
    "nothing",
  ),
  "documents.external_id": column(
    "indexing: a connector finds its own documents by it; those are not a client's to write",
    "documents_external_id_check guard_document leave_ids leave_ids_of_new",
    "prose",
  ),
  "documents.type": column(
    "indexing: a connector reads the documents of its type; those are not a client's to write",
    "documents_type_check documents_type_plain guard_document",
    "name",
  ),
  "documents.title": column(
    "search: its words weigh more; shown",
    "documents_title_check documents_title_plain",
    "name",
  ),
  "documents.url": column("nothing: a link to click on", "documents_url_check documents_url_plain", "link"),
  "documents.content": column(
    "indexing: cut into passages, which a model reads as data",
    "documents_content_size guard_document",
    "prose",
    {
      alsoKeeps: { long: "a text", deep: "a text" },
    },
  ),
  "documents.language": column("indexing and search: the dictionary", "documents_language_check", "nothing"),
  "chats.agent_id": column("answering: who answers", "rls own_chat chats_team_id_agent_id_fkey", "nothing"),
  "chats.channel": column(
    "insights and lists: filtered by",
    "chats_channel_check guard_chat_channel",
    "nothing",
  ),
  "chats.title": column("nothing: shown", "chats_title_check chats_title_plain", "name", {
    alsoKeeps: { nothing: "none was given" },
  }),
  "chats.summary": column("nothing: shown", "chats_summary_check", "prose"),
  "chats.rating": column("insights: counted", "chats_rating_check guard_chat_feedback", "nothing"),
  "chats.comment": column("nothing: shown", "chats_comment_check guard_chat_feedback", "prose"),
  "messages.chat_id": column(
    "answering: which conversation",
    "rls own_message messages_team_id_chat_id_fkey",
    "nothing",
  ),
  "messages.content": column(
    "answering: a model reads it in later turns",
    "messages_content_check guard_message_length",
    "prose",
    { alsoKeeps: { deep: "a text of 20,000 characters" } },
  ),
  "messages.rating": column("insights: counted", "messages_rating_check guard_message_feedback", "nothing"),
  "messages.comment": column("nothing: shown", "messages_comment_check guard_message_feedback", "prose"),
  "messages.stop_requested": column("answering: ends the reply of that message", "rls", "flag"),
  "apps.team_id": team("apps"),
  "apps.name": name("apps"),
  "apps.type": column("nothing: there is one", "apps_type_check", "nothing"),
  "apps.agent_id": column("Slack: who answers", "rls apps_team_id_agent_id_fkey", "nothing"),
  "apps.channels": column(
    "Slack: where it answers",
    "apps_channels_check apps_channels_ids apps_channels_flat",
    "list",
    {
      isArray: true,
    },
  ),
  "apps.audience": column("Slack: whom it answers", "apps_audience_check", "nothing"),
  "support_tickets.status": column(
    "lists: filtered by; platform admins alone",
    "rls support_tickets_status_check",
    "nothing",
  ),
  "retention.days": column(
    "indexing: after how long rows of its kind go; platform admins alone",
    "rls retention_days_check",
    "nothing",
  ),
};
