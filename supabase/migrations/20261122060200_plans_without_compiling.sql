-- Postgres compiles plans that seem dear before it runs them. That took 870 ms of the 880 ms of a claim, whose plans seem so because
-- other ways are switched off, and doubled the time of search and insights.

alter function private.claimable_tasks(timestamptz) set jit = off;
alter function public.search_chunks(uuid[], text, jsonb, int, text) set jit = off;
alter function public.chat_insights(uuid, uuid, date, date, text) set jit = off;
