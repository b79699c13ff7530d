-- Takes a database with data from the schema before to that of sql/: the plan of chat_insights is kept. Its range comes from the rows of a
-- query, so a plan for the given values is no better, and making it took half of a call.

alter function public.chat_insights(uuid, uuid, date, date, text, text) set plan_cache_mode = force_generic_plan;
