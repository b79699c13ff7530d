-- Keeps the plans of the functions that a deletion and its undoing call dozens of times: planning them anew took two thirds of both.

create or replace view private.relations with (security_invoker = true) as
  select c.oid, c.conrelid, c.conkey, c.confkey, c.confdeltype, c.confdelsetcols, c.confrelid = 'private.roots'::regclass as is_by_root,
         case when c.confrelid <> 'private.roots'::regclass then c.confrelid::regclass
              else case a.attname when 'agent_id' then 'public.agents'::regclass when 'knowledge_id' then 'public.knowledges'::regclass
                                  when 'source_id' then 'public.sources'::regclass when 'user_id' then 'public.users'::regclass
                                  when 'api_key_id' then 'public.api_keys'::regclass when 'team_id' then 'public.teams'::regclass end end as confrelid
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[cardinality(c.conkey)]
   where c.contype = 'f';

create or replace function private.full_name(relation regclass) returns text
language plpgsql stable set search_path = '' as $$ begin return relation::text; end $$;

create or replace function private.foreign_keys(of_child regclass, to_parents regclass[])
returns table (child regclass, parent regclass, action "char", children name[], parents name[], types text[], emptied name[])
language plpgsql stable set search_path = '' as $$
begin
  return query
  select c.conrelid::regclass, c.confrelid, c.confdeltype,
         array_agg(a.attname order by k.place), array_agg(p.attname order by k.place),
         array_agg(format_type(p.atttypid, p.atttypmod) order by k.place),
         array_agg(a.attname order by k.place) filter (where c.confdelsetcols is null or k.child = any (c.confdelsetcols))
    from private.relations c
   cross join lateral unnest(c.conkey, c.confkey) with ordinality as k (child, parent, place)
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.child
    join pg_catalog.pg_attribute p on p.attrelid = case when c.is_by_root then 'private.roots'::regclass else c.confrelid end
                                  and p.attnum = k.parent
   where (of_child is null or c.conrelid = of_child) and (to_parents is null or c.confrelid = any (to_parents))
   group by c.oid, c.conrelid, c.confrelid, c.confdeltype;
end
$$;

create or replace function private.primary_key(relation regclass) returns name[]
language plpgsql stable set search_path = '' as $$
begin
  return (select array_agg(a.attname order by a.attnum)
            from pg_catalog.pg_constraint c join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
           where c.conrelid = relation and c.contype = 'p');
end
$$;

create or replace function private.rows_referring(child regclass, parent regclass, children name[], parents name[], types text[]) returns text
language plpgsql stable set search_path = '' as $$
begin
  return format('private.deleted_rows d join %s c on %s where d.deletion_id = $1 and d.table_name = %L and not d.is_reference',
                private.full_name(child),
                (select string_agg(format('c.%I = (d.keys ->> %L)::%s', k.child, k.parent, k.type), ' and ')
                   from unnest(children, parents, types) as k (child, parent, type)), private.full_name(parent));
end
$$;

create or replace function private.is_held(f_children name[], f_parents name[], parent regclass) returns text
language plpgsql stable set search_path = '' as $$
begin
  return format('(%s or exists (select from %s p where %s))',
                (select string_agg(format('r.%I is null', k), ' or ') from unnest(f_children) k), private.full_name(parent),
                (select string_agg(format('p.%I = r.%I', k.parent, k.child), ' and ') from unnest(f_children, f_parents) as k (child, parent)));
end
$$;
