-- A memo that becomes an invoice is told as `sold` to the merchants that were told `memo`. Of a stone
-- with several offers they heard it of the one that led in their list, so its row remembers that.
alter table offer add column on_memo boolean not null default false;
alter table offer add column on_memo_us boolean not null default false;

-- The stone went on memo while this offer led, or before it had other offers. See logConversions in
-- src/events/change-log.ts.
create function remember_memo() returns trigger language plpgsql as $$
declare
  is_on_memo boolean := case tg_op
    when 'INSERT' then exists (select from gem where id = new.gem_id and state = 'memo')
    else exists (
      select from gem where certificate = new.certificate and not apart and state = 'memo') end;
  led boolean := true;
  led_us boolean := true;
begin
  if tg_op = 'UPDATE' then
    led := old.leads;
    led_us := old.leads_us;
  end if;
  new.on_memo := not new.leads and (new.on_memo or (led and is_on_memo));
  new.on_memo_us := not new.leads_us and (new.on_memo_us or (led_us and is_on_memo));
  return new;
end $$;

create trigger offer_listed before insert on offer for each row
  when (not new.leads or not new.leads_us) execute function remember_memo();
create trigger offer_led before update of leads, leads_us on offer for each row
  when ((old.leads, old.leads_us) is distinct from (new.leads, new.leads_us))
  execute function remember_memo();

update offer set on_memo = seen, on_memo_us = seen_us
from gem where gem.id = offer.gem_id and gem.state = 'memo';
