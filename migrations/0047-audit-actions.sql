-- A merchant's entries of one action: without it, an action that the merchant never took is looked
-- for in all of the merchant's entries.
create index audit_of_merchant_action on audit_entry (merchant_uuid, action, at, id)
  where merchant_uuid is not null;
