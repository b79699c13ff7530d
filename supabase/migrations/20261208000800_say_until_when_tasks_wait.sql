-- Takes a database with data from the schema before to that of sql/: say until when tasks wait.

create or replace function private.enqueue_task(
  team uuid, task_type text, task_key text, source uuid default null, knowledge uuid default null, document uuid default null
) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  task uuid;
  is_new boolean;
  writer constant uuid := coalesce(private.user_id(), private.api_key_id());
  wait int := 0;
begin
  delete from public.tasks t where t.key = task_key and t.team_id = team and t.status = 'stopped' and t.started_at is null;
  insert into public.tasks (team_id, type, key, source_id, knowledge_id, document_id, created_by)
  values (team, task_type, task_key, source, knowledge, document, private.user_id())
  on conflict (key) where status = 'queued' do update set updated_at = clock_timestamp()
  returning id, xmax = 0 into task, is_new;
  if is_new and writer is not null then
    wait := private.take_hit('tasks:' || writer, 300, 600);
  end if;
  if wait > 0 then
    update public.tasks t
       set run_after = t.run_after + make_interval(secs => wait),
           message_params = jsonb_build_object('until', t.run_after + make_interval(secs => wait))
     where t.id = task;
  end if;
  return task;
end
$$;
