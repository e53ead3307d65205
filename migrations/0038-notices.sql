-- Notices: what a merchant, a supplier or the operator is told of an event, and which users get it
-- by e-mail. See src/notices/.

-- How far the events are read, by their number in the market. The row is locked while notices are
-- made, so that one node does it at a time. Events from before this migration are told to nobody.
create table notice_place (
  only_row boolean primary key default true check (only_row),
  last bigint not null
);
insert into notice_place (last) select last from market_event_clock;

create table notice (
  uuid uuid primary key,
  event_uuid uuid not null references event,
  -- Whose notice it is; both null for the operator's.
  merchant_uuid uuid references merchant,
  supplier_uuid uuid references supplier (uuid) on delete cascade,
  kind text not null,
  subject text not null check (subject !~ '[\n\r]'),
  content jsonb not null,
  -- The page of the console that shows more.
  path text not null,
  -- When the event happened.
  created_on timestamptz not null,
  constraint notices_have_one_owner check (merchant_uuid is null or supplier_uuid is null)
);
-- Serves the lists of notices, newest first, and their counts.
create index notice_of_merchant on notice (merchant_uuid, created_on desc, uuid)
  where merchant_uuid is not null;
create index notice_of_supplier on notice (supplier_uuid, created_on desc, uuid)
  where supplier_uuid is not null;
create index notice_of_operator on notice (created_on desc, uuid)
  where merchant_uuid is null and supplier_uuid is null;
-- Serves the removal of old notices.
create index notice_age on notice (created_on);

-- Who gets a notice by e-mail. Timed by PostgreSQL's own clock, as e-mails are.
create table notice_recipient (
  user_uuid uuid not null references app_user on delete cascade,
  notice_uuid uuid not null references notice on delete cascade,
  -- When the e-mail that contains it was written; null while it waits for one.
  mailed_on timestamptz,
  primary key (user_uuid, notice_uuid)
);
-- Serves the search for users who have to be written to.
create index notice_recipient_waiting on notice_recipient (user_uuid) where mailed_on is null;
-- Serves the count of a user's latest e-mails.
create index notice_recipient_mailed on notice_recipient (user_uuid, mailed_on)
  where mailed_on is not null;
-- Serves the removal of old notices.
create index notice_recipient_notice on notice_recipient (notice_uuid);

-- Which kinds are switched on or off: by a user, or for all users of a merchant, of a supplier or (all
-- null) of the operator who have not decided themselves. What is not named here is on.
create table notice_setting (
  uuid uuid primary key default gen_random_uuid(),
  user_uuid uuid references app_user on delete cascade,
  merchant_uuid uuid references merchant,
  supplier_uuid uuid references supplier (uuid) on delete cascade,
  kinds jsonb not null,
  updated_on timestamptz not null default market_now(),
  constraint notice_settings_have_one_owner
    check (num_nonnulls(user_uuid, merchant_uuid, supplier_uuid) <= 1),
  constraint notice_settings_are_unique
    unique nulls not distinct (user_uuid, merchant_uuid, supplier_uuid)
);

-- The secret part of the links in a user's e-mails that switch a kind off. They work for as long as
-- the user exists.
create table unsubscribe_token (
  token text primary key,
  user_uuid uuid not null unique references app_user on delete cascade
);

-- Holds whose merchant was told that they end soon, once for each end.
create table hold_reminder (
  hold_uuid uuid not null,
  expires_on timestamptz not null,
  primary key (hold_uuid, expires_on)
);
