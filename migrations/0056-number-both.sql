-- Numbers changes and events in one transaction, because a change of the stock usually comes with an
-- event, and tells which number the change log has reached with all that was committed before the
-- call: a reader who is there has nothing to read.
create function number_log(most_changes integer, most_events integer, out more boolean, out last bigint)
language plpgsql as $$
begin
  perform follow_history();
  more := number_changes(most_changes) = most_changes;
  more := number_events(most_events) = most_events or more;
  -- A statement of its own sees what another process has numbered meanwhile.
  select clock.last into number_log.last from change_clock as clock;
end $$;
