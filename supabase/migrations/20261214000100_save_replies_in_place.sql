-- Takes a database with data from the schema before to that of sql/: save replies in place.
drop index public.messages_streaming_idx;
