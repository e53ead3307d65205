-- A merchant's own terms: percentages by which the wholesale prices that it sees and pays are
-- changed before margins. Null: the prices of its list. See src/pricing/price-adjustment.ts.
alter table merchant add column price_adjustment jsonb check (price_adjustment is null or (
  (price_adjustment ->> 'mined_percent')::numeric(5, 2) between -50 and 50
  and (price_adjustment ->> 'lab_percent')::numeric(5, 2) between -50 and 50
  and (price_adjustment ->> 'gemstone_percent')::numeric(5, 2) between -50 and 50
  and (price_adjustment ->> 'jewelry_percent')::numeric(5, 2) between -50 and 50
) is true);
