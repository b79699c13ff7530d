-- What may have been meant by a question that can be read in two or three ways: questions to ask.
alter table public.messages add column suggestions text[] not null default '{}' check (cardinality(suggestions) <= 3);
