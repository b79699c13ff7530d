-- Constraints on names and titles: what one person writes and others see in lists, titles, mails and file names.

alter table public.users add constraint users_name_plain check (private.is_plain_text(name));
alter table public.teams add constraint teams_name_plain check (private.is_plain_text(name));
alter table public.roles add constraint roles_name_plain check (private.is_plain_text(name));
alter table public.api_keys add constraint api_keys_name_plain check (private.is_plain_text(name));
alter table public.agents add constraint agents_name_plain check (private.is_plain_text(name));
alter table public.files add constraint files_name_plain check (private.is_plain_text(name));
alter table public.file_versions add constraint file_versions_name_plain check (private.is_plain_text(name));
alter table public.sources add constraint sources_name_plain check (private.is_plain_text(name));
alter table public.vectors add constraint vectors_name_plain check (private.is_plain_text(name));
alter table public.knowledges add constraint knowledges_name_plain check (private.is_plain_text(name));
alter table public.documents add constraint documents_type_plain check (private.is_plain_text(type));
alter table public.documents add constraint documents_title_plain check (private.is_plain_text(title));
alter table public.apps add constraint apps_name_plain check (private.is_plain_text(name));
alter table public.beta_signups add constraint beta_signups_name_plain check (private.is_plain_text(name));
alter table public.support_tickets add constraint support_tickets_name_plain check (private.is_plain_text(name));
alter table public.support_tickets add constraint support_tickets_subject_plain check (private.is_plain_text(subject));

-- Empty: not set.
alter table public.agents add constraint agents_model_plain check (model = '' or private.is_plain_text(model));
alter table public.agents add constraint agents_display_name_plain check (display_name = '' or private.is_plain_text(display_name));
alter table public.agents add constraint agents_launcher_label_plain check (launcher_label = '' or private.is_plain_text(launcher_label));
alter table public.chats add constraint chats_title_plain check (title = '' or private.is_plain_text(title));
alter table public.apps add constraint apps_workspace_name_plain check (workspace_name = '' or private.is_plain_text(workspace_name));

alter table public.agents add constraint agents_suggested_prompts_plain check (private.are_plain_texts(suggested_prompts, 300));
-- The address of an existing account is as the auth server has it.
alter table public.team_users add constraint team_users_email_address check (user_id is not null or private.is_email(email));
