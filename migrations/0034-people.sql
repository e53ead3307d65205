-- People: the users of a merchant, of a supplier and of the operator, how they sign in, and the
-- sessions that they open.

create table app_user (
  uuid uuid primary key,
  -- Whose user it is; both null for the operator's.
  merchant_uuid uuid references merchant,
  supplier_uuid uuid references supplier (uuid) on delete cascade,
  -- As it was typed. Addresses are compared without regard to case.
  email text not null check (length(email) <= 254),
  name text not null check (length(name) <= 200),
  -- What the user may do; src/reference/roles.ts lists the scopes of each role.
  role text not null,
  active boolean not null default true,
  created_on timestamptz not null default market_now(),
  updated_on timestamptz not null default market_now(),
  last_sign_in_on timestamptz,
  constraint users_have_one_owner check (merchant_uuid is null or supplier_uuid is null),
  constraint users_have_a_role_of_their_side check (
    case
      when merchant_uuid is not null then role in ('owner', 'buyer', 'viewer')
      when supplier_uuid is not null then role in ('owner', 'viewer')
      else role in ('admin', 'sales', 'stock')
    end)
);
-- An e-mail address has one user at each merchant, at each supplier and at the operator. Serves the
-- lists of users as well.
create unique index app_user_email_of_owner on app_user (
  (coalesce(merchant_uuid, supplier_uuid, '00000000-0000-0000-0000-000000000000')), (lower(email)));
-- Serves signing in, which knows the address only.
create index app_user_email on app_user ((lower(email)));

-- A password is stored as a scrypt hash with the parameters that it was made with, so that they can
-- be raised later. The users of one address share the salt, so that one computation compares a
-- password with all of them, however many there are.
create table user_password (
  user_uuid uuid primary key references app_user on delete cascade,
  salt bytea not null,
  hash bytea not null,
  cost integer not null,
  block_size integer not null,
  parallelism integer not null,
  set_on timestamptz not null default market_now()
);

-- The user of a session; null for keys, and for sessions that a key or the command line opened.
alter table token add column user_uuid uuid references app_user on delete set null;
-- How a session was opened; null for keys and for older sessions.
alter table token add column opened_with text check (opened_with in ('link', 'password', 'key'));
-- Serves the sessions of a user, which end when it is deactivated.
create index token_of_user on token (user_uuid, created_on, uuid) where user_uuid is not null;

-- A link signs in a user (an invitation, or one that the user asked for), or anyone who has it as the
-- merchant, the supplier or the operator (the links of "pavilion console").
alter table sign_in_link add column supplier_uuid uuid references supplier (uuid) on delete cascade;
alter table sign_in_link add column user_uuid uuid references app_user on delete cascade;
alter table sign_in_link add column invites boolean not null default false;
-- Serves the end of a user's links: a renewed invitation, a new password, a deactivation.
create index sign_in_link_of_user on sign_in_link (user_uuid) where user_uuid is not null;

-- Sign-ins that were tried, by address and by account, on all nodes together. The key is a hash: the
-- table names nobody.
create table sign_in_attempt (
  key bytea primary key,
  count integer not null,
  ends_on timestamptz not null
);
-- Serves the removal of windows that have ended.
create index sign_in_attempt_end on sign_in_attempt (ends_on);

-- Tells every node to drop the sessions of a user from its cache: the payload is 'user <uuid>'.
create function notify_user() returns trigger language plpgsql as $$
begin
  perform pg_notify('pavilion_access', 'user ' || old.uuid);
  return null;
end $$;
create trigger app_user_changed
  after update of email, name, role, active or delete on app_user
  for each row execute function notify_user();

-- Managing users has scopes of its own. What can create keys without the bounds of a maker has them:
-- the operator's tokens, and sessions that a link opened.
update token set scopes = scopes || array['users:read', 'users:write']
where 'keys:write' = any(scopes) and made_by is null and (type = 'admin' or is_session);
