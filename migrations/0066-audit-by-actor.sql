-- Serves the audit sorted by who did it.
create index audit_by_actor_name on audit_entry (actor_name, at, id);
