-- A deletion waits for the team's workers before it locks anything of theirs. It failed where it lost one deadlock after the other.
create function private.hold_tasks(team uuid, permission text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if team = any (private.teams_with(permission)) then
    perform 1 from public.tasks t where t.team_id = team and t.status in ('running', 'stopping') order by t.id for update;
  end if;
end
$$;
revoke all on function private.hold_tasks(uuid, text) from public;
grant execute on function private.hold_tasks(uuid, text) to authenticated;

create or replace function private.keep_deleted(kind text, team uuid, target uuid) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant int := 20000;
  deletion uuid := private.uuid_v7();
  until timestamptz := clock_timestamp() + interval '5 minutes';
  is_there boolean;
  one record;
  wanted text;
  -- Of many conversations or passages nothing is copied: they stay where they are, hidden, until the deletion is undone or purged.
  in_place boolean;
  kept regclass[];
  rows_left int := most;
begin
  perform private.hold_tasks(team, private.deleting_permission(kind));
  if private.is_admin() or private.deleting_permission(kind) is null
     or not team = any (private.teams_with(private.deleting_permission(kind))) then
    return null;
  end if;
  -- Of two who delete it at once, the second waits and finds nothing: otherwise it would replace the first one's copies with none.
  execute format('select exists (select from (select from %s t where t.team_id = $1 and t.id = $2 for update) r)',
                 private.full_name(('public.' || kind)::regclass))
    into is_there using team, target;
  if not is_there then
    return null;
  end if;
  -- A source's passages are among those of others, which a search that leaves them out for minutes would be slow to find.
  if kind = 'sources' and (select count(*) from (
       select from public.documents d join public.chunks c on c.team_id = d.team_id and c.document_id = d.id
        where d.team_id = team and d.source_id = target limit 5001) h) > 5000 then
    return null;
  end if;
  in_place := coalesce((select r.kind in ('agents', 'knowledges') and private.count_hanging(r) > 1000
                          from private.roots r where r.team_id = team and r.id = target), false);
  kept := array(select t.relation from private.deletion_tables(kind, in_place) t);
  -- Of a row that was restored since and is deleted again, or of one whose deletion did not come to its end.
  delete from private.deletions d where d.kind = keep_deleted.kind and d.row_id = target;
  insert into private.deletions (id, team_id, kind, row_id, expires_at) values (deletion, team, kind, target, until);
  for one in select t.relation, t.depth from private.deletion_tables(kind, in_place) t loop
    if one.depth = 0 then
      wanted := format('select t.id from %s t where t.team_id = $2 and t.id = $3', private.full_name(one.relation));
      -- A written answer has a document, which a trigger deletes with it.
      if kind = 'qa_entries' and one.relation = 'public.documents'::regclass then
        wanted := 'select t.id from public.documents t
                     join public.qa_entries e on e.team_id = t.team_id and e.source_id = t.source_id and e.id::text = t.external_id
                    where t.type = ''qa'' and e.team_id = $2 and e.id = $3';
      -- So do files, one in every source that lists them.
      elsif kind = 'files' and one.relation = 'public.documents'::regclass then
        wanted := 'select t.id from public.documents t
                     join public.sources s on s.team_id = t.team_id and s.id = t.source_id
                    where s.type = ''file'' and s.config -> ''fileIds'' ? $3::text and t.team_id = $2 and t.external_id = $3::text';
      end if;
    else
      select string_agg(format('select %s from %s',
               (select string_agg('c.' || quote_ident(k), ', ') from unnest(private.primary_key(f.child)) k),
               private.rows_referring(f.child, f.parent, f.children, f.parents, f.types)), ' union ')
        into wanted
        from private.foreign_keys(one.relation, kept) f
       where f.action = 'c';
    end if;
    rows_left := rows_left - private.keep_rows(deletion, team, target, one.relation, wanted, rows_left);
    if rows_left < 0 then
      delete from private.deletions d where d.id = deletion;
      return null;
    end if;
  end loop;
  if kind = 'files' and not private.take_copies(deletion, team, target) then
    delete from private.deletions d where d.id = deletion;
    return null;
  end if;
  -- Rows that stay and only name what goes.
  for one in
    select f.*, private.full_name(f.child) as name
      from private.foreign_keys(null, kept) f where f.action = 'n'
  loop
    execute format('insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
                    select $1, %L, true, jsonb_build_object(%s) from %s', one.name,
                   (select string_agg(distinct format('%L, c.%I', k, k), ', ') from unnest(private.primary_key(one.child) || one.children) k),
                   private.rows_referring(one.child, one.parent, one.children, one.parents, one.types)) using deletion;
  end loop;
  perform set_config('parley.kept', target || case when in_place then ' in place' else ' copied' end, true);
  return until;
end
$$;
