-- Merchants find their orders by the suppliers' stock numbers, too, and everybody by the order's uuid,
-- so the words of the operator and of the merchant are the same.
drop index orders_words;
alter table orders drop column words;
alter table orders rename column operator_words to words;
update orders set words = words || array_to_tsvector(array[uuid::text]);
create index orders_words on orders using gin (words);

-- Serves `updated_since`.
create index orders_updated_on on orders (updated_on);
create index orders_merchant_updated_on on orders (merchant_uuid, updated_on);
