-- Takes a database with data from the schema before to that of sql/: hide other teams spaces.

drop policy "anyone logged in reads the embedding spaces" on public.vectors;
-- Who may: anyone logged in. Checks: a team's own space only with a knowledge base in it that the caller may read, or as a platform admin.
create policy "anyone logged in reads embedding spaces but other teams' own" on public.vectors for select to authenticated
  using ((select private.is_known())
     and (model not like 'connection:%' or (select private.is_admin())
       or exists (select from public.knowledges k where k.vector_id = vectors.id)));
