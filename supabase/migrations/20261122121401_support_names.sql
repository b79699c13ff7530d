-- The states of a reply's support take their public names, and each of its claims says in `supported` whether it is, null where
-- that was not checked. A reply is no newer for that.
alter table public.messages drop constraint messages_support_check;
alter table public.messages disable trigger user;
update public.messages m
   set support = m.support || jsonb_build_object(
         'state', case m.support ->> 'state' when 'partial' then 'partly' when 'not_found' then 'notFound'
                                             when 'disagreeing' then 'disagree' else m.support ->> 'state' end,
         'claims', coalesce((
            select jsonb_agg((one.claim - 'state') || jsonb_build_object('supported',
                     case one.claim ->> 'state' when 'supported' then true when 'unsupported' then false end) order by one.place)
              from jsonb_array_elements(m.support -> 'claims') with ordinality as one (claim, place)), '[]'))
 where m.support is not null;
alter table public.messages enable trigger user;
alter table public.messages add constraint messages_support_check
  check (support ->> 'state' in ('answered', 'partly', 'notFound', 'disagree', 'unchecked'));
