-- Why a page's picture was not read, or not all of it, where that lies with the file.
alter table private.page_readings add column problem text check (problem in ('undecoded', 'drawn'));
-- What could not be shown to a model before, or was taken for blank, is looked at again when its file is read.
delete from private.page_readings where text is null or (text = '' and confidence is null);
