-- What a follow-up was searched for beside the question as it is.
alter table public.messages add column searched_for text check (char_length(searched_for) <= 2000);
