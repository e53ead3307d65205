-- Every specified field has a writer: what suppliers send, what is set per supplier, and what the
-- operator says about merchants and templates.

-- The laboratory as the supplier wrote it, now also where it is one of the reference list.
alter table gem rename column lab_original to lab_name;
alter table import_before rename column lab_original to lab_name;
create or replace function set_apart() returns trigger language plpgsql as $$
begin
  -- Most markets have no such decision, and the certificate need not be computed for it.
  new.apart := exists (select from certificate_decision where decision = 'apart') and exists (
    select from certificate_decision
    where decision = 'apart'
      and certificate = certificate_of(new.product_type, new.lab, new.lab_name, new.cert_num)
  );
  return new;
end $$;
-- The certificate stays what it is, so its trigger has nothing to do.
alter table gem disable trigger gem_certificate_changes;
update gem set lab_name = lab where lab is not null and lab_name is null;
alter table gem enable trigger gem_certificate_changes;

alter table gem
  -- What the feed says, in the supplier's words.
  add column shade text,
  add column milky text,
  add column black_inclusion text,
  -- The SKU that the stone of pair_vendor_sku has, whether or not it is on sale.
  add column pair_sku text;

-- Whether merchants may hold the supplier's stones, unless its feed says otherwise.
alter table supplier add column can_hold boolean not null default true;

-- Feeds write these from now on, so the journal of imports keeps them.
alter table import_before
  add column shade text,
  add column milky text,
  add column black_inclusion text,
  add column pair_sku text,
  add column can_hold boolean not null default true,
  add column is_sustainable boolean,
  add column sustainability_details jsonb,
  add column tolerance_positive numeric(5, 3),
  add column tolerance_negative numeric(5, 3),
  add column image_bottom_url text,
  add column cached_ux_url text,
  add column v360_json_base_url text,
  add column v360_info jsonb;
-- No import before this one changed them: undoing such an import leaves them as they are.
update import_before b set can_hold = g.can_hold, is_sustainable = g.is_sustainable,
  sustainability_details = g.sustainability_details, tolerance_positive = g.tolerance_positive,
  tolerance_negative = g.tolerance_negative, image_bottom_url = g.image_bottom_url,
  cached_ux_url = g.cached_ux_url, v360_json_base_url = g.v360_json_base_url,
  v360_info = g.v360_info
from gem g where g.id = b.gem_id;

-- A word of the merchant's own, such as the key of its sorting. It was a number that nobody wrote.
alter table merchant_template alter column "order" type text using "order"::text;
