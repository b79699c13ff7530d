-- Bounds what is kept of the addresses that a source left out: of one reason so many, and the number of the others.

alter table private.source_pages
  -- The code of the problem, by which addresses are counted; null where there is none.
  add column reason text,
  -- How many more were left out for the reason than are listed, on the one line that says so.
  add column further integer;
