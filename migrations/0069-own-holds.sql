-- Until when merchants hold stones for themselves. A quote may hold them for longer; when it ends,
-- a hold returns to this end.
create table own_hold (
  hold_uuid uuid primary key,
  expires_on timestamptz not null
);
-- Serves the deletion of ends that have passed.
create index own_hold_age on own_hold (expires_on);

-- A hold that a quote has was made for it, or was lengthened by it: its own end is not known.
insert into own_hold (hold_uuid, expires_on)
select hold_uuid, hold_expires_on from gem
where hold_uuid is not null and hold_uuid not in (
  select hold_uuid from quote_line where hold_uuid is not null
);
