-- Keys that make keys: what a token made ends with it, and a token may be bound to addresses.

-- The token that made this one: the key that opened a session, or that created or rotated a key.
-- Null when a person made it: on the command line, or in a session that a link opened.
alter table token rename column opened_by to made_by;
-- What a token made has ended with it, so it is deleted with it too.
alter table token drop constraint token_opened_by_fkey;
alter table token add constraint token_made_by_fkey
  foreign key (made_by) references token on delete cascade;
-- Serves the end of what a token made.
alter index token_sessions_of_key rename to token_made_by;

-- Addresses and CIDR networks that the token may be used from. Empty: from anywhere.
alter table token add column allowed_addresses text[] not null default '{}'
  constraint allowed_addresses_are_few check (cardinality(allowed_addresses) <= 20);

drop trigger token_sessions_end on token;
drop function end_sessions_of_key();

-- A token never outlives its maker. Revoking the maker, or letting it expire earlier, does the same
-- to what it made, in the same statement and over every generation: the update below fires this
-- trigger again, and token_changed notifies every node of every token.
create function end_made_tokens() returns trigger language plpgsql as $$
begin
  if old.revoked_on is null and new.revoked_on is not null then
    update token set revoked_on = new.revoked_on
    where made_by = new.uuid and revoked_on is null;
  end if;
  if new.expires_on is distinct from old.expires_on then
    update token set expires_on = new.expires_on
    where made_by = new.uuid and (expires_on is null or expires_on > new.expires_on);
  end if;
  return null;
end $$;
create trigger token_ends_what_it_made after update of revoked_on, expires_on on token
  for each row execute function end_made_tokens();

-- Creating keys has a scope of its own. The operator's tokens, and sessions that a link opened,
-- could do it so far and still can; merchants' keys need it from now on.
update token set scopes = array_append(scopes, 'keys:write')
where 'settings:write' = any(scopes) and (type = 'admin' or (is_session and made_by is null));
