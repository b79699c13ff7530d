-- Takes a database with data from the schema before to that of sql/: queue questions once.

create or replace function private.look_for_questions() returns trigger
language plpgsql set search_path = '' as $$
declare
  task uuid;
begin
  update public.onboardings o set candidates = null
   where o.team_id = new.team_id and o.knowledge_id = new.id and jsonb_array_length(o.questions) < 3;
  if found then
    -- A statement of its own: in a condition it would be called for each of all teams' tasks.
    task := private.enqueue_task(new.team_id, 'questions', 'questions:' || new.id);
    -- Files come one after the other: what is found should be of them all.
    update public.tasks t set run_after = clock_timestamp() + interval '3 seconds' where t.id = task;
  end if;
  return null;
end
$$;
