-- Who did what, and when: an entry for every write, in the transaction of the write.
create table audit_entry (
  id bigint generated always as identity primary key,
  uuid uuid not null default gen_random_uuid(),
  at timestamptz not null default market_clock(),
  actor_kind text not null,
  -- The user or the token; null for the command line and the system.
  actor_uuid uuid,
  actor_name text not null,
  -- For whom the actor acts. Merchants are not told which person or key of another side it was.
  actor_side text not null,
  -- The merchant whose own audit has the entry. No reference: an entry outlives what it is about.
  merchant_uuid uuid,
  -- Compared byte by byte, so that the actions of one noun are a range of the index.
  action text collate "C" not null,
  subject_kind text not null,
  subject_id text not null,
  -- The fields that differ, as the interface shows them. Null before a creation and after a removal.
  before jsonb,
  after jsonb,
  request_id text,
  ip text,
  -- One check for all, because every order is checked.
  constraint actors_are_known check (
    case when actor_uuid is null then actor_kind in ('command_line', 'system')
      else actor_kind in ('user', 'token') end
    and actor_side in ('merchant', 'supplier', 'operator', 'system')
    and length(action) <= 100 and length(subject_id) <= 200)
);
-- Serves the newest entries, a period, and the deletion of old ones.
create index audit_by_time on audit_entry (at, id);
-- Serves what happened to one thing, and the history of a stone.
create index audit_of_subject on audit_entry (subject_id, at, id);
-- Serves what one person or key did.
create index audit_of_actor on audit_entry (actor_uuid, at, id) where actor_uuid is not null;
-- Serves what the command line and the system did.
create index audit_of_actor_kind on audit_entry (actor_kind, at, id) where actor_uuid is null;
-- Serves one kind of action.
create index audit_of_action on audit_entry (action, at, id);
-- Serves a merchant's own audit.
create index audit_of_merchant on audit_entry (merchant_uuid, at, id) where merchant_uuid is not null;

-- What the operator has done to stones so far. The history of a stone is read from the audit now.
insert into audit_entry (at, actor_kind, actor_uuid, actor_name, actor_side, action, subject_kind,
  subject_id, before, after)
select changed_on, case when token_uuid is null then 'command_line' else 'token' end, token_uuid, actor,
  'operator', action, 'gem', sku,
  (select coalesce(jsonb_object_agg(key, value->'from'), '{}') from jsonb_each(changes)),
  (select coalesce(jsonb_object_agg(key, value->'to'), '{}') from jsonb_each(changes))
from gem_history order by changed_on;
drop table gem_history;

-- The last line of defence: what is written stays. Entries that are older than the setting of
-- delete_old_audit_entries may be deleted, and a market that is reset begins a new audit.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < market_now() - make_interval(
    days => nullif(current_setting('pavilion.audit_keep_days', true), '')::integer) then
    return old;
  end if;
  if tg_op = 'TRUNCATE' and current_setting('pavilion.market_reset', true) = 'on' then
    return null;
  end if;
  raise exception 'an entry of the audit is never changed or deleted';
end $$;
create trigger audit_is_append_only before update or delete on audit_entry
  for each row execute function refuse_audit_change();
create trigger audit_is_not_truncated before truncate on audit_entry
  for each statement execute function refuse_audit_change();

-- The one way to delete entries: the oldest first, and none that is younger than so many days.
create function delete_old_audit_entries(keep_days integer, most integer) returns integer
language plpgsql as $$
declare
  deleted integer;
begin
  if keep_days < 1 then
    raise exception 'entries of the audit are kept for at least a day';
  end if;
  perform set_config('pavilion.audit_keep_days', keep_days::text, true);
  delete from audit_entry where id in (
    select id from audit_entry where at < market_now() - make_interval(days => keep_days)
    order by at, id limit most);
  get diagnostics deleted = row_count;
  perform set_config('pavilion.audit_keep_days', '', true);
  return deleted;
end $$;
