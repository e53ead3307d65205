-- Tokens of suppliers. A token belongs to one side of the market: to a merchant, to a supplier, or
-- to the operator. A supplier whose first import failed is deleted, and its tokens with it.
alter table token add column supplier_uuid uuid references supplier (uuid) on delete cascade;
alter table token drop constraint token_type_check;
alter table token add constraint token_type_check
  check (type in ('api_key', 'merchant', 'admin', 'supplier'));
alter table token drop constraint operator_tokens_have_no_merchant;
alter table token add constraint tokens_have_one_owner check (
  (merchant_uuid is not null) = (type in ('api_key', 'merchant'))
  and (supplier_uuid is not null) = (type = 'supplier'));
-- Serves the list of a supplier's tokens, and their count when one is added.
create index token_of_supplier on token (supplier_uuid, created_on, uuid)
  where supplier_uuid is not null;

-- Serves the list of a supplier's orders, newest first, and its count. A supplier does
-- not see certificates as lines of their own.
create index order_line_of_supplier on order_line (supplier_id, created_on desc, order_uuid)
  where product_type <> 'cert';
