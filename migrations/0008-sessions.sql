-- The console's way in: links that work once, and the short-lived sessions they open.

create table sign_in_link (
  -- SHA-256 of the code in the link; the code itself is printed once and kept nowhere.
  hash bytea primary key,
  -- Null: the link is the operator's.
  merchant_uuid uuid references merchant,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  used_on timestamptz
);
-- Serves the removal of old links.
create index sign_in_link_age on sign_in_link (expires_on);

-- A session is a token that its bearer may end by signing out.
alter table token add column is_session boolean not null default false;
-- The key that opened the session. Revoking a key ends the sessions that it opened.
alter table token add column opened_by uuid references token;
-- Serves the end of a key's sessions.
create index token_sessions_of_key on token (opened_by) where opened_by is not null;

create function end_sessions_of_key() returns trigger language plpgsql as $$
begin
  update token set revoked_on = new.revoked_on
  where opened_by = new.uuid and revoked_on is null;
  return null;
end $$;
create trigger token_sessions_end after update of revoked_on on token
  for each row when (old.revoked_on is null and new.revoked_on is not null)
  execute function end_sessions_of_key();
