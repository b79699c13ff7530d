-- The switch of a long document computed the words of all its chunks, and the embedded Postgres served nobody else meanwhile.

alter table private.staged_chunks add column words extensions.sparsevec;
