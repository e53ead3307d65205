-- A session plans the statements of a trigger once, often while the table is nearly empty, and then
-- reads all of it for each stone: new prices for 200,000 stones in one statement took longer than
-- eight minutes.
alter function record_price_change() set enable_seqscan = off;
