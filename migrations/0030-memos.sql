-- The last reminder of a memo that its merchant has had, so that each is sent once; a later due date
-- starts again. See src/orders/memos/remind-memos.ts.
alter table orders add column memo_reminder text check (memo_reminder in ('due_soon', 'overdue'));
-- Serves the search for memos that a reminder is due for.
create index orders_memos_to_remind on orders (memo_due_date)
  where order_type = 'memo' and order_status is null and memo_reminder is distinct from 'overdue';
-- Serves the operator's list of memos, the first due first.
create index orders_open_memos on orders (memo_due_date, uuid)
  where order_type = 'memo' and order_status is null;
