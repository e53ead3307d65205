-- Which market the database holds, written when it is opened for the first time. Production is
-- never opened as the sandbox then, whose reset would replace its stock, nor the other way round.
create table market_realm (
  only_row boolean primary key default true,
  realm text not null,
  constraint market_realm_has_one_row check (only_row),
  constraint realm_is_known check (realm in ('live', 'test'))
);
