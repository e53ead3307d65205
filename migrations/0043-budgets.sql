-- What may be ordered with a key, in wholesale US dollars; see src/merchants/token-budget.ts. A
-- token that was made or rotated without a budget of its own has the columns of its maker.
alter table token
  add column budget_orders_per_day int check (budget_orders_per_day >= 0),
  add column budget_amount_per_day numeric(14, 2) check (budget_amount_per_day >= 0),
  add column budget_amount_per_order numeric(14, 2) check (budget_amount_per_order >= 0),
  -- Under which its orders are counted; null without a budget.
  add column budget_key uuid,
  add constraint budgets_have_a_key check (
    (budget_key is null) = (coalesce(
      budget_orders_per_day, budget_amount_per_day, budget_amount_per_order
    ) is null)
  );

-- What was ordered under a budget on a day in UTC. Orders count themselves in their own
-- transaction, so the row's lock lets only one of two at once have the rest of the budget.
create table budget_use (
  budget_key uuid not null,
  day date not null,
  orders int not null check (orders > 0),
  amount numeric(18, 4) not null check (amount >= 0),
  primary key (budget_key, day)
);
