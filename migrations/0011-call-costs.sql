-- Calls count by what they cost, for a token and for all tokens of its merchant together.

-- What all tokens of the merchant may use together in a minute; 0: no limit. Null: the limit of the
-- installation. Numbers set here hold for every token of the merchant, whatever its own limit.
alter table merchant add column rate_limit_per_minute integer
  constraint rate_limit_is_not_negative check (rate_limit_per_minute >= 0);

-- Merchants are counted beside tokens; all of them have uuids of their own. The count is what the
-- calls of the minute cost.
alter table rate_count rename column token_uuid to caller_uuid;
