-- A daily sample of the links to media of each supplier; see src/feeds/media/. The row is inserted
-- before the links are tried, so that one node does it.
create table media_check (
  supplier_id int not null references supplier on delete cascade,
  checked_on date not null,
  links int not null default 0 check (links >= 0),
  dead int not null default 0 check (dead between 0 and links),
  primary key (supplier_id, checked_on)
);
