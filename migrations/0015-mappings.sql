-- What the columns of a supplier's files of jewelry are, as its operator says; `mapping` is that of
-- its files of stones.
alter table supplier add column jewelry_mapping jsonb;

-- An import that failed changed nothing; it is kept to be shown and counted.
alter table jewelry_import add column failure text;

-- The columns of the file, and the cells of the rejected rows in the order of the report, to send
-- them back to the supplier.
alter table jewelry_import add column rejected_rows json;
