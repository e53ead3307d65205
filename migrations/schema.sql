-- Written by "npm run schema" from the migrations; do not edit.

create table alert_matcher (
  only_row boolean not null default true,
  place bigint not null,
  version bigint not null default 0,
  holder uuid,
  held_until timestamp with time zone,
  term bigint not null default 0,
  constraint alert_matcher_pkey PRIMARY KEY (only_row),
  constraint alert_matcher_only_row_check CHECK (only_row)
);

create table app_user (
  uuid uuid not null,
  merchant_uuid uuid,
  supplier_uuid uuid,
  email text not null,
  name text not null,
  role text not null,
  active boolean not null default true,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  last_sign_in_on timestamp with time zone,
  constraint app_user_pkey PRIMARY KEY (uuid),
  constraint app_user_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint app_user_supplier_uuid_fkey FOREIGN KEY (supplier_uuid) REFERENCES supplier(uuid) ON DELETE CASCADE,
  constraint app_user_email_check CHECK (length(email) <= 254),
  constraint app_user_name_check CHECK (length(name) <= 200),
  constraint users_have_a_role_of_their_side CHECK (
CASE
    WHEN merchant_uuid IS NOT NULL THEN role = ANY (ARRAY['owner'::text, 'buyer'::text, 'viewer'::text])
    WHEN supplier_uuid IS NOT NULL THEN role = ANY (ARRAY['owner'::text, 'viewer'::text])
    ELSE role = ANY (ARRAY['admin'::text, 'sales'::text, 'stock'::text])
END),
  constraint users_have_one_owner CHECK (merchant_uuid IS NULL OR supplier_uuid IS NULL)
);
CREATE INDEX app_user_email ON app_user USING btree (lower(email));
CREATE UNIQUE INDEX app_user_email_of_owner ON app_user USING btree (COALESCE(merchant_uuid, supplier_uuid, '00000000-0000-0000-0000-000000000000'::uuid), lower(email));
CREATE TRIGGER app_user_changed AFTER DELETE OR UPDATE OF email, name, role, active ON app_user FOR EACH ROW EXECUTE FUNCTION notify_user();

create table audit_entry (
  id bigint generated always as identity not null,
  uuid uuid not null default gen_random_uuid(),
  at timestamp with time zone not null default market_clock(),
  actor_kind text not null,
  actor_uuid uuid,
  actor_name text not null,
  actor_side text not null,
  merchant_uuid uuid,
  action text collate "C" not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  request_id text,
  ip text,
  constraint audit_entry_pkey PRIMARY KEY (id),
  constraint actors_are_known CHECK (
CASE
    WHEN actor_uuid IS NULL THEN actor_kind = ANY (ARRAY['command_line'::text, 'system'::text])
    ELSE actor_kind = ANY (ARRAY['user'::text, 'token'::text])
END AND (actor_side = ANY (ARRAY['merchant'::text, 'supplier'::text, 'operator'::text, 'system'::text])) AND length(action) <= 100 AND length(subject_id) <= 200)
);
CREATE INDEX audit_by_actor_name ON audit_entry USING btree (actor_name, at, id);
CREATE INDEX audit_by_time ON audit_entry USING btree (at, id);
CREATE INDEX audit_of_action ON audit_entry USING btree (action, at, id);
CREATE INDEX audit_of_actor ON audit_entry USING btree (actor_uuid, at, id) WHERE actor_uuid IS NOT NULL;
CREATE INDEX audit_of_actor_kind ON audit_entry USING btree (actor_kind, at, id) WHERE actor_uuid IS NULL;
CREATE INDEX audit_of_merchant ON audit_entry USING btree (merchant_uuid, at, id) WHERE merchant_uuid IS NOT NULL;
CREATE INDEX audit_of_merchant_action ON audit_entry USING btree (merchant_uuid, action, at, id) WHERE merchant_uuid IS NOT NULL;
CREATE INDEX audit_of_subject ON audit_entry USING btree (subject_id, at, id);
CREATE TRIGGER audit_is_append_only BEFORE DELETE OR UPDATE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_is_not_truncated BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table backup_status (
  only_row boolean not null default true,
  succeeded_on timestamp with time zone,
  failed_on timestamp with time zone,
  failures integer not null default 0,
  problem text,
  constraint backup_status_pkey PRIMARY KEY (only_row),
  constraint backup_status_has_one_row CHECK (only_row),
  constraint failures_are_counted CHECK (failures >= 0)
);

create table budget_use (
  budget_key uuid not null,
  day date not null,
  orders integer not null,
  amount numeric(18,4) not null,
  constraint budget_use_pkey PRIMARY KEY (budget_key, day),
  constraint budget_use_amount_check CHECK (amount >= 0::numeric),
  constraint budget_use_orders_check CHECK (orders > 0)
);

create table cancellation (
  uuid uuid not null,
  order_uuid uuid not null,
  line_uuid uuid not null,
  quantity integer not null,
  reason text not null default ''::text,
  created_on timestamp with time zone not null,
  constraint cancellation_pkey PRIMARY KEY (uuid),
  constraint cancellation_line_uuid_fkey FOREIGN KEY (line_uuid) REFERENCES order_line(uuid),
  constraint cancellation_order_uuid_fkey FOREIGN KEY (order_uuid) REFERENCES orders(uuid),
  constraint cancellation_quantity_check CHECK (quantity >= 1)
);
CREATE INDEX cancellation_of_order ON cancellation USING btree (order_uuid, created_on, uuid);

create table catalogue (
  uuid uuid not null,
  name text not null,
  published boolean not null default false,
  public boolean not null default false,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  opened_on timestamp with time zone not null default market_now(),
  constraint catalogue_pkey PRIMARY KEY (uuid),
  constraint catalogue_name_check CHECK (name <> ''::text)
);
CREATE UNIQUE INDEX catalogue_name ON catalogue USING btree (lower(name));

create table catalogue_merchant (
  catalogue_uuid uuid not null,
  merchant_uuid uuid not null,
  shared_on timestamp with time zone not null default market_now(),
  constraint catalogue_merchant_pkey PRIMARY KEY (catalogue_uuid, merchant_uuid),
  constraint catalogue_merchant_catalogue_uuid_fkey FOREIGN KEY (catalogue_uuid) REFERENCES catalogue(uuid) ON DELETE CASCADE,
  constraint catalogue_merchant_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid)
);

create table catalogue_product (
  catalogue_uuid uuid not null,
  product_id uuid not null,
  added_on timestamp with time zone not null default market_now(),
  constraint catalogue_product_pkey PRIMARY KEY (catalogue_uuid, product_id),
  constraint catalogue_product_catalogue_uuid_fkey FOREIGN KEY (catalogue_uuid) REFERENCES catalogue(uuid) ON DELETE CASCADE,
  constraint catalogue_product_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);
CREATE INDEX catalogue_of_product ON catalogue_product USING btree (product_id);

create table certificate_decision (
  certificate text collate "C" not null,
  decision text not null,
  sku text,
  decided_on timestamp with time zone not null default market_now(),
  constraint certificate_decision_pkey PRIMARY KEY (certificate),
  constraint a_kept_offer_has_a_sku CHECK ((decision = 'keep'::text) = (sku IS NOT NULL)),
  constraint certificate_decision_decision_check CHECK (decision = ANY (ARRAY['keep'::text, 'apart'::text]))
);

create table change (
  sequence bigint not null,
  gem_id bigint,
  sku text,
  merchant_uuid uuid,
  kind text not null,
  changed_on timestamp with time zone not null default market_clock(),
  price_list text,
  variant_id uuid,
  former_type text,
  merchants uuid[],
  constraint change_pkey PRIMARY KEY (sequence),
  constraint change_former_type_check CHECK (former_type = ANY (ARRAY['diamond'::text, 'gemstone'::text, 'melee'::text, 'jewelry'::text, 'watch'::text])),
  constraint change_kind_check CHECK (kind = ANY (ARRAY['new'::text, 'price'::text, 'media'::text, 'details'::text, 'hold'::text, 'release'::text, 'sold'::text, 'memo'::text, 'gone'::text, 'back'::text, 'prices'::text])),
  constraint change_price_list_check CHECK (price_list = ANY (ARRAY['default'::text, 'us'::text])),
  constraint prices_are_of_no_product CHECK (num_nonnulls(gem_id, variant_id) =
CASE
    WHEN kind = 'prices'::text THEN 0
    ELSE 1
END)
);

create table change_clock (
  only_row boolean not null default true,
  last bigint not null,
  history text,
  replicated boolean not null default false,
  unbroken_after bigint not null default 0,
  constraint change_clock_pkey PRIMARY KEY (only_row),
  constraint change_clock_only_row_check CHECK (only_row)
);

create table change_continuation (
  after bigint not null,
  first bigint not null,
  constraint change_continuation_pkey PRIMARY KEY (after)
);

create table change_queue (
  id bigint not null,
  gem_id bigint,
  sku text,
  kind text,
  former_type text,
  product_id uuid,
  merchant_uuid uuid,
  gem_ids bigint[],
  skus text[],
  constraint change_queue_pkey PRIMARY KEY (id),
  constraint added_stones_have_skus CHECK ((NOT kind IS DISTINCT FROM 'added'::text) = (gem_ids IS NOT NULL) AND NOT cardinality(gem_ids) IS DISTINCT FROM cardinality(skus)),
  constraint an_entry_is_of_one_thing CHECK (num_nonnulls(gem_id, product_id, gem_ids) =
CASE
    WHEN kind = 'prices'::text THEN 0
    ELSE 1
END)
);
CREATE INDEX change_queue_of_new ON change_queue USING btree (id) WHERE kind = ANY (ARRAY['new'::text, 'back'::text, 'added'::text]);
CREATE INDEX change_queue_of_products ON change_queue USING btree (id) WHERE product_id IS NOT NULL;

create table charge_rule (
  uuid uuid not null,
  country_code text,
  kind text not null,
  label text not null,
  amount numeric(14,2),
  percent numeric(6,3),
  created_on timestamp with time zone not null default market_clock(),
  constraint charge_rule_pkey PRIMARY KEY (uuid),
  constraint charge_rule_amount_check CHECK (amount > 0::numeric),
  constraint charge_rule_country_code_check CHECK (country_code ~ '^[A-Z]{2}$'::text),
  constraint charge_rule_kind_check CHECK (kind = ANY (ARRAY['shipping'::text, 'insurance'::text, 'tax'::text, 'fee'::text, 'discount'::text])),
  constraint charge_rule_label_check CHECK (length(label) >= 1 AND length(label) <= 200),
  constraint charge_rule_percent_check CHECK (percent > 0::numeric AND percent <= 100::numeric),
  constraint rules_charge_something CHECK (amount IS NOT NULL OR percent IS NOT NULL)
);

create table document (
  uuid uuid not null,
  order_uuid uuid not null,
  kind text not null,
  number text not null,
  content jsonb not null,
  pdf bytea,
  created_on timestamp with time zone not null,
  constraint document_pkey PRIMARY KEY (uuid),
  constraint document_numbers_are_unique UNIQUE (kind, number),
  constraint document_order_uuid_fkey FOREIGN KEY (order_uuid) REFERENCES orders(uuid),
  constraint document_kind_check CHECK (kind = ANY (ARRAY['invoice'::text, 'packing_slip'::text, 'memo'::text, 'credit_note'::text])),
  constraint document_number_check CHECK (length(number) >= 1 AND length(number) <= 40)
);
CREATE INDEX document_of_order ON document USING btree (order_uuid, created_on, uuid);
CREATE UNIQUE INDEX one_invoice_per_order ON document USING btree (order_uuid, kind) WHERE kind = ANY (ARRAY['invoice'::text, 'memo'::text]);
CREATE TRIGGER documents_are_final BEFORE DELETE OR UPDATE ON document FOR EACH ROW EXECUTE FUNCTION refuse_document_change();

create table document_counter (
  kind text not null,
  year integer not null,
  last integer not null,
  constraint document_counter_pkey PRIMARY KEY (kind, year),
  constraint document_counter_kind_check CHECK (kind = ANY (ARRAY['invoice'::text, 'credit_note'::text])),
  constraint document_counter_last_check CHECK (last >= 1)
);

create table enquiry_count (
  key bytea not null,
  count integer not null,
  ends_on timestamp with time zone not null,
  constraint enquiry_count_pkey PRIMARY KEY (key)
);
CREATE INDEX enquiry_count_end ON enquiry_count USING btree (ends_on);

create table event (
  uuid uuid not null,
  merchant_uuid uuid,
  sequence bigint,
  order_uuid uuid,
  event_type text not null,
  event_data jsonb not null,
  created_on timestamp with time zone not null default market_clock(),
  market_sequence bigint,
  queued bigint default nextval('event_queued'::regclass),
  constraint event_pkey PRIMARY KEY (uuid),
  constraint event_sequence UNIQUE (merchant_uuid, sequence),
  constraint event_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint event_order_uuid_fkey FOREIGN KEY (order_uuid) REFERENCES orders(uuid),
  constraint only_merchants_count CHECK (merchant_uuid IS NOT NULL OR sequence IS NULL)
);
CREATE INDEX event_hold_sku ON event USING btree ((event_data ->> 'sku'::text)) WHERE event_type ~~ 'hold.%'::text;
CREATE UNIQUE INDEX event_market_sequence ON event USING btree (market_sequence) WHERE market_sequence IS NOT NULL;
CREATE INDEX event_not_numbered ON event USING btree (queued NULLS FIRST, created_on, uuid) WHERE market_sequence IS NULL;
CREATE INDEX event_of_order ON event USING btree (order_uuid, sequence) WHERE order_uuid IS NOT NULL;
CREATE INDEX event_of_type ON event USING btree (event_type, market_sequence) WHERE market_sequence IS NOT NULL;

create table event_clock (
  merchant_uuid uuid not null,
  last bigint not null,
  constraint event_clock_pkey PRIMARY KEY (merchant_uuid),
  constraint event_clock_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid)
);

create table exchange_rate (
  currency_code text not null,
  rate numeric(18,8) not null,
  set_on timestamp with time zone not null default market_clock(),
  constraint exchange_rate_pkey PRIMARY KEY (currency_code, set_on),
  constraint exchange_rate_currency_code_check CHECK (currency_code ~ '^[A-Z]{3}$'::text),
  constraint exchange_rate_rate_check CHECK (rate > 0::numeric)
);
CREATE TRIGGER exchange_rate_changed AFTER INSERT OR DELETE OR UPDATE ON exchange_rate FOR EACH STATEMENT EXECUTE FUNCTION notify_rates();

create table feed_source (
  uuid uuid not null,
  supplier_id integer not null,
  url text not null,
  every_seconds integer not null,
  mode text not null,
  username text,
  password text,
  private_key text,
  secret_query text,
  host_key text,
  sheet text,
  mapping jsonb,
  seen jsonb,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  paused_on timestamp with time zone,
  due_on timestamp with time zone not null default market_clock(),
  run_uuid uuid,
  lease_until timestamp with time zone,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  constraint feed_source_pkey PRIMARY KEY (uuid),
  constraint feed_source_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint failing_has_a_start CHECK ((failures = 0) = (failing_since IS NULL)),
  constraint feed_source_every_seconds_check CHECK (every_seconds >= 60),
  constraint feed_source_mode_check CHECK (mode = ANY (ARRAY['update'::text, 'replace'::text])),
  constraint feed_source_url_check CHECK (length(url) <= 2000),
  constraint lease_has_a_run CHECK ((run_uuid IS NULL) = (lease_until IS NULL))
);
CREATE INDEX feed_source_due ON feed_source USING btree (due_on) WHERE paused_on IS NULL;
CREATE INDEX feed_source_of_supplier ON feed_source USING btree (supplier_id);

create table feed_source_run (
  uuid uuid not null,
  source_uuid uuid not null,
  started_by text not null,
  outcome text,
  file_name text,
  bytes bigint,
  import_uuid uuid,
  code text,
  failure text,
  started_on timestamp with time zone not null default market_clock(),
  finished_on timestamp with time zone,
  constraint feed_source_run_pkey PRIMARY KEY (uuid),
  constraint feed_source_run_import_uuid_fkey FOREIGN KEY (import_uuid) REFERENCES import(uuid) ON DELETE SET NULL,
  constraint feed_source_run_source_uuid_fkey FOREIGN KEY (source_uuid) REFERENCES feed_source(uuid) ON DELETE CASCADE,
  constraint failure_has_a_reason CHECK ((NOT outcome IS DISTINCT FROM 'failed'::text) = (failure IS NOT NULL)),
  constraint feed_source_run_outcome_check CHECK (outcome = ANY (ARRAY['done'::text, 'unchanged'::text, 'failed'::text])),
  constraint feed_source_run_started_by_check CHECK (started_by = ANY (ARRAY['schedule'::text, 'operator'::text])),
  constraint finished_has_an_outcome CHECK ((outcome IS NULL) = (finished_on IS NULL))
);
CREATE INDEX feed_source_run_by_time ON feed_source_run USING btree (started_on) INCLUDE (outcome);
CREATE INDEX feed_source_run_history ON feed_source_run USING btree (source_uuid, started_on DESC, uuid);

create table fulfillment (
  uuid uuid not null,
  order_uuid uuid not null,
  status text not null default 'success'::text,
  tracking_company text not null,
  tracking_number text not null,
  tracking_url text not null default ''::text,
  created_on timestamp with time zone not null,
  updated_on timestamp with time zone not null,
  constraint fulfillment_pkey PRIMARY KEY (uuid),
  constraint fulfillment_order_uuid_fkey FOREIGN KEY (order_uuid) REFERENCES orders(uuid)
);
CREATE INDEX fulfillment_of_order ON fulfillment USING btree (order_uuid, created_on, uuid);

create table fulfillment_line (
  fulfillment_uuid uuid not null,
  line_uuid uuid not null,
  quantity integer not null,
  constraint fulfillment_line_pkey PRIMARY KEY (fulfillment_uuid, line_uuid),
  constraint fulfillment_line_fulfillment_uuid_fkey FOREIGN KEY (fulfillment_uuid) REFERENCES fulfillment(uuid),
  constraint fulfillment_line_line_uuid_fkey FOREIGN KEY (line_uuid) REFERENCES order_line(uuid),
  constraint fulfillment_line_quantity_check CHECK (quantity >= 1)
);

create table gem (
  id bigint generated always as identity not null,
  sku text not null,
  supplier_id integer not null,
  vendor_sku text not null,
  product_type text not null,
  type text not null,
  species text,
  origin text,
  treatment text,
  shape text not null,
  cut_code text not null,
  weight numeric(9,4) not null,
  length numeric(7,3),
  width numeric(7,3),
  depth numeric(7,3),
  ratio numeric(7,3),
  ratio_group text,
  depth_percentage numeric(5,2),
  table_percentage numeric(5,2),
  crown_angle numeric(5,2),
  pavilion_angle numeric(5,2),
  pavilion_depth numeric(5,2),
  culet_size text,
  girdle_min text,
  girdle_max text,
  color text,
  color_max text,
  clarity text,
  clarity_max text,
  is_fancy boolean not null default false,
  fancy_color_intensity text,
  overtone text,
  cut_grade text,
  polish_grade text,
  symmetry_grade text,
  fluorescence text,
  eye_clean text,
  grow_method text,
  lab text,
  lab_name text,
  cert_num text,
  cert_url text,
  country_code text,
  cost numeric(12,2) not null,
  list_price numeric(12,2),
  wholesale_price numeric(12,2) not null,
  wholesale_price_us numeric(12,2) not null,
  state text not null default 'available'::text,
  mover text,
  quantity integer not null default 1,
  hold_uuid uuid,
  hold_merchant_uuid uuid,
  hold_created_on timestamp with time zone,
  hold_expires_on timestamp with time zone,
  can_hold boolean not null default true,
  memo boolean not null default false,
  returnable boolean not null default true,
  is_manual boolean not null default false,
  is_sustainable boolean,
  sustainability_details jsonb,
  memo_days_to_return integer,
  days_to_return integer,
  internal_days_to_return integer,
  delivery_days_min integer,
  delivery_days_max integer,
  tolerance_positive numeric(5,3),
  tolerance_negative numeric(5,3),
  image_top_url text,
  image_bottom_url text,
  video_url text,
  ux_url text,
  cached_ux_url text,
  v360_json_base_url text,
  v360_info jsonb,
  original_imported_ext_url text,
  media_requested boolean not null default false,
  pair_vendor_sku text,
  pair_separable boolean,
  feed_hash bytea,
  feed_gone boolean not null default false,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  feed_quantity integer,
  cost_exact numeric(24,12),
  list_price_from_grid boolean not null default false,
  apart boolean not null default false,
  overrides jsonb,
  feed_values jsonb,
  note text,
  shade text,
  milky text,
  black_inclusion text,
  pair_sku text,
  certificate text collate "C" default certificate_of(product_type, lab, lab_name, cert_num),
  constraint gem_pkey PRIMARY KEY (id) INCLUDE (supplier_id, product_type, state, hold_expires_on, certificate, apart),
  constraint gem_sku_key UNIQUE (sku),
  constraint stone_of_supplier UNIQUE (supplier_id, vendor_sku),
  constraint gem_hold_merchant_uuid_fkey FOREIGN KEY (hold_merchant_uuid) REFERENCES merchant(uuid),
  constraint gem_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint color_fits_the_stone CHECK (product_type = 'gemstone'::text OR is_fancy AND (color = ANY (ARRAY['BK'::text, 'BL'::text, 'BN'::text, 'CH'::text, 'CM'::text, 'CG'::text, 'GY'::text, 'GR'::text, 'OR'::text, 'PN'::text, 'PL'::text, 'RD'::text, 'VL'::text, 'YL'::text, 'WH'::text, 'OT'::text])) OR NOT is_fancy AND (color = ANY (ARRAY['D'::text, 'E'::text, 'F'::text, 'G'::text, 'H'::text, 'I'::text, 'J'::text, 'K'::text, 'L'::text, 'M'::text, 'N'::text, 'O'::text, 'OP'::text, 'P'::text, 'Q'::text, 'QR'::text, 'R'::text, 'S'::text, 'ST'::text, 'T'::text, 'U'::text, 'UV'::text, 'V'::text, 'W'::text, 'WX'::text, 'X'::text, 'Y'::text, 'YZ'::text, 'Z'::text]))),
  constraint delivery_days CHECK (delivery_days_min <= delivery_days_max),
  constraint gem_clarity_check CHECK (clarity = ANY (ARRAY['FL'::text, 'IF'::text, 'VVS1'::text, 'VVS2'::text, 'VS1'::text, 'VS2'::text, 'SI1'::text, 'SI2'::text, 'I1'::text, 'I2'::text, 'I3'::text])),
  constraint gem_clarity_max_check CHECK (clarity_max = ANY (ARRAY['FL'::text, 'IF'::text, 'VVS1'::text, 'VVS2'::text, 'VS1'::text, 'VS2'::text, 'SI1'::text, 'SI2'::text, 'I1'::text, 'I2'::text, 'I3'::text])),
  constraint gem_cost_check CHECK (cost > 0::numeric),
  constraint gem_country_code_check CHECK (country_code ~ '^[A-Z]{3}$'::text),
  constraint gem_crown_angle_check CHECK (crown_angle >= 0::numeric AND crown_angle <= 90::numeric),
  constraint gem_culet_size_check CHECK (culet_size = ANY (ARRAY['N'::text, 'VS'::text, 'S'::text, 'M'::text, 'SL'::text, 'L'::text, 'VL'::text, 'EL'::text])),
  constraint gem_cut_code_check CHECK (cut_code = ANY (ARRAY['rose_cut'::text, 'brilliant_cut'::text, 'step_cut'::text, 'mirror_cut'::text, 'european_cut'::text, 'old_mine_cut'::text, 'mixed_cut'::text, 'modified_cut'::text])),
  constraint gem_cut_grade_check CHECK (cut_grade = ANY (ARRAY['IDL'::text, 'EX'::text, 'VG'::text, 'G'::text, 'F'::text, 'P'::text])),
  constraint gem_depth_check CHECK (depth > 0::numeric),
  constraint gem_depth_percentage_check CHECK (depth_percentage >= 0::numeric AND depth_percentage <= 100::numeric),
  constraint gem_eye_clean_check CHECK (eye_clean = ANY (ARRAY['yes'::text, 'borderline'::text, 'no'::text])),
  constraint gem_fancy_color_intensity_check CHECK (fancy_color_intensity = ANY (ARRAY['FAN'::text, 'FDK'::text, 'FDP'::text, 'FLT'::text, 'FNT'::text, 'INT'::text, 'LIT'::text, 'VIV'::text, 'VLT'::text])),
  constraint gem_fluorescence_check CHECK (fluorescence = ANY (ARRAY['Very Strong'::text, 'Strong'::text, 'Medium'::text, 'Faint'::text, 'Slight'::text, 'Very Slight'::text, 'None'::text])),
  constraint gem_girdle_max_check CHECK (girdle_max = ANY (ARRAY['XTK'::text, 'VTK'::text, 'TK'::text, 'STK'::text, 'MD'::text, 'TN'::text, 'VTN'::text, 'ETN'::text])),
  constraint gem_girdle_min_check CHECK (girdle_min = ANY (ARRAY['XTK'::text, 'VTK'::text, 'TK'::text, 'STK'::text, 'MD'::text, 'TN'::text, 'VTN'::text, 'ETN'::text])),
  constraint gem_grow_method_check CHECK (grow_method = ANY (ARRAY['CVD'::text, 'HPHT'::text])),
  constraint gem_lab_check CHECK (lab = ANY (ARRAY['GIA'::text, 'GCAL'::text, 'IGI'::text])),
  constraint gem_length_check CHECK (length > 0::numeric),
  constraint gem_list_price_check CHECK (list_price > 0::numeric),
  constraint gem_pavilion_angle_check CHECK (pavilion_angle >= 0::numeric AND pavilion_angle <= 90::numeric),
  constraint gem_pavilion_depth_check CHECK (pavilion_depth >= 0::numeric AND pavilion_depth <= 100::numeric),
  constraint gem_polish_grade_check CHECK (polish_grade = ANY (ARRAY['EX'::text, 'VG'::text, 'G'::text, 'F'::text, 'P'::text])),
  constraint gem_product_type_check CHECK (product_type = ANY (ARRAY['diamond'::text, 'melee'::text, 'gemstone'::text])),
  constraint gem_ratio_check CHECK (ratio > 0::numeric),
  constraint gem_ratio_group_check CHECK (ratio_group = ANY (ARRAY['square'::text, 'rectangular'::text])),
  constraint gem_shape_check CHECK (shape = ANY (ARRAY['asscher'::text, 'baguette'::text, 'briolette'::text, 'bullets'::text, 'calf'::text, 'cushion'::text, 'emerald'::text, 'half_moon'::text, 'heart'::text, 'hexagon'::text, 'lozenge'::text, 'marquise'::text, 'octagon'::text, 'oval'::text, 'pear'::text, 'princess'::text, 'radiant'::text, 'rectangle'::text, 'round'::text, 'shield'::text, 'tapered_baguette'::text, 'trapezoid'::text, 'triangle'::text])),
  constraint gem_state_check CHECK (state = ANY (ARRAY['available'::text, 'memo'::text, 'sold'::text, 'gone'::text, 'disabled'::text])),
  constraint gem_symmetry_grade_check CHECK (symmetry_grade = ANY (ARRAY['EX'::text, 'VG'::text, 'G'::text, 'F'::text, 'P'::text])),
  constraint gem_table_percentage_check CHECK (table_percentage >= 0::numeric AND table_percentage <= 100::numeric),
  constraint gem_type_check CHECK (type = ANY (ARRAY['mined'::text, 'lab grown'::text])),
  constraint gem_weight_check CHECK (weight > 0::numeric),
  constraint gem_wholesale_price_check CHECK (wholesale_price > 0::numeric),
  constraint gem_wholesale_price_us_check CHECK (wholesale_price_us > 0::numeric),
  constraint gem_width_check CHECK (width > 0::numeric),
  constraint gemstones_have_a_species CHECK ((product_type = 'gemstone'::text) = (species IS NOT NULL)),
  constraint hold_is_whole CHECK ((hold_uuid IS NULL) = (hold_merchant_uuid IS NULL) AND (hold_uuid IS NULL) = (hold_expires_on IS NULL) AND (hold_uuid IS NULL) = (hold_created_on IS NULL)),
  constraint mover_is_null_at_rest CHECK (mover IS NULL),
  constraint only_available_stones_are_held CHECK (hold_uuid IS NULL OR state = 'available'::text),
  constraint overrides_keep_the_feeds_values CHECK ((overrides IS NULL) = (feed_values IS NULL) AND overrides <> '{}'::jsonb),
  constraint single_stones_are_one CHECK (product_type = 'melee'::text OR quantity <= 1),
  constraint sold_stones_are_out_of_stock CHECK ((state <> ALL (ARRAY['sold'::text, 'memo'::text])) OR quantity = 0),
  constraint stock_is_not_negative CHECK (quantity >= 0),
  constraint stones_with_overrides_are_manual CHECK (is_manual = (overrides IS NOT NULL))
);
CREATE INDEX gem_gemstones ON gem USING btree (id) WHERE product_type = 'gemstone'::text;
CREATE INDEX gem_holds ON gem USING btree (hold_merchant_uuid, hold_expires_on) WHERE hold_uuid IS NOT NULL;
CREATE INDEX gem_melee ON gem USING btree (shape, type) WHERE product_type = 'melee'::text;
CREATE INDEX gem_offers ON gem USING btree (certificate) INCLUDE (id, apart) WHERE certificate IS NOT NULL;
CREATE INDEX gem_other_numbers ON gem USING btree (letters_and_digits(cert_num) COLLATE "C") WHERE certificate IS NULL AND cert_num IS NOT NULL;
CREATE INDEX gem_vendor_sku_search ON gem USING btree (upper(vendor_sku COLLATE "C"));
CREATE UNIQUE INDEX one_sale_per_stone ON gem USING btree (certificate) WHERE certificate IS NOT NULL AND NOT apart AND (state = ANY (ARRAY['sold'::text, 'memo'::text]));
CREATE TRIGGER gem_certificate_changes BEFORE UPDATE ON gem FOR EACH ROW WHEN (old.product_type IS DISTINCT FROM new.product_type OR old.lab IS DISTINCT FROM new.lab OR old.lab_name IS DISTINCT FROM new.lab_name OR old.cert_num IS DISTINCT FROM new.cert_num OR (old.state = ANY (ARRAY['sold'::text, 'memo'::text])) AND (new.state <> ALL (ARRAY['sold'::text, 'memo'::text]))) EXECUTE FUNCTION set_apart();
CREATE TRIGGER gem_hold_ends AFTER UPDATE OF hold_uuid ON gem FOR EACH ROW WHEN (old.hold_uuid IS NOT NULL AND new.hold_uuid IS DISTINCT FROM old.hold_uuid) EXECUTE FUNCTION count_hold_time();
CREATE TRIGGER gem_moves BEFORE UPDATE ON gem FOR EACH ROW WHEN (old.state IS DISTINCT FROM new.state OR old.hold_uuid IS DISTINCT FROM new.hold_uuid OR old.hold_merchant_uuid IS DISTINCT FROM new.hold_merchant_uuid OR old.hold_expires_on IS DISTINCT FROM new.hold_expires_on OR new.mover IS NOT NULL) EXECUTE FUNCTION guard_gem_move();
CREATE TRIGGER gem_price_changes AFTER UPDATE OF wholesale_price, wholesale_price_us ON gem FOR EACH ROW WHEN (old.wholesale_price IS DISTINCT FROM new.wholesale_price OR old.wholesale_price_us IS DISTINCT FROM new.wholesale_price_us) EXECUTE FUNCTION record_price_change();
CREATE TRIGGER parcel_terms BEFORE INSERT OR UPDATE ON gem FOR EACH ROW WHEN (new.product_type = 'melee'::text AND num_nulls(new.memo_days_to_return, new.days_to_return, new.internal_days_to_return, new.delivery_days_min, new.delivery_days_max) > 0) EXECUTE FUNCTION set_parcel_terms();

create table hold_reminder (
  hold_uuid uuid not null,
  expires_on timestamp with time zone not null,
  constraint hold_reminder_pkey PRIMARY KEY (hold_uuid, expires_on)
);

create table hold_time (
  gem_id bigint not null,
  merchant_uuid uuid not null,
  held_seconds numeric(14,6) not null,
  held_until timestamp with time zone not null,
  constraint hold_time_pkey PRIMARY KEY (gem_id, merchant_uuid),
  constraint hold_time_gem_id_fkey FOREIGN KEY (gem_id) REFERENCES gem(id) ON DELETE CASCADE,
  constraint hold_time_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint hold_time_held_seconds_check CHECK (held_seconds >= 0::numeric)
);
CREATE INDEX hold_time_age ON hold_time USING btree (held_until);

create table idempotency_key (
  owner uuid not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status integer not null,
  body bytea not null,
  created_on timestamp with time zone not null default market_now(),
  constraint idempotency_key_pkey PRIMARY KEY (owner, key_hash)
);
CREATE INDEX idempotency_key_age ON idempotency_key USING btree (created_on);

create table import (
  uuid uuid not null,
  supplier_id integer not null,
  mode text not null,
  status text not null,
  file_name text not null default ''::text,
  currency_code text not null,
  rows integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  removed integer not null default 0,
  rejected integer not null default 0,
  not_offered integer not null default 0,
  columns jsonb not null default '[]'::jsonb,
  notes jsonb not null default '{}'::jsonb,
  failure text,
  synced_before timestamp with time zone,
  started_on timestamp with time zone not null default market_clock(),
  finished_on timestamp with time zone,
  reading_before jsonb,
  constraint import_pkey PRIMARY KEY (uuid),
  constraint import_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint import_mode_check CHECK (mode = ANY (ARRAY['update'::text, 'replace'::text])),
  constraint import_status_check CHECK (status = ANY (ARRAY['reading'::text, 'applying'::text, 'done'::text, 'failed'::text, 'undoing'::text, 'undone'::text]))
);
CREATE INDEX import_history ON import USING btree (started_on DESC, uuid);
CREATE INDEX import_of_supplier ON import USING btree (supplier_id, started_on DESC);
CREATE INDEX import_unfinished ON import USING btree (supplier_id) WHERE status = ANY (ARRAY['reading'::text, 'applying'::text, 'undoing'::text]);

create table import_added (
  import_uuid uuid not null,
  batch integer not null,
  gem_ids bigint[] not null,
  constraint import_added_pkey PRIMARY KEY (import_uuid, batch),
  constraint import_added_import_uuid_fkey FOREIGN KEY (import_uuid) REFERENCES import(uuid) ON DELETE CASCADE
);

create table import_before (
  gem_id bigint not null,
  state text,
  quantity integer,
  feed_quantity integer,
  feed_hash bytea,
  feed_gone boolean,
  updated_on timestamp with time zone,
  product_type text,
  type text,
  species text,
  origin text,
  treatment text,
  shape text,
  cut_code text,
  weight numeric(9,4),
  length numeric(7,3),
  width numeric(7,3),
  depth numeric(7,3),
  ratio numeric(7,3),
  ratio_group text,
  depth_percentage numeric(5,2),
  table_percentage numeric(5,2),
  crown_angle numeric(5,2),
  pavilion_angle numeric(5,2),
  pavilion_depth numeric(5,2),
  culet_size text,
  girdle_min text,
  girdle_max text,
  color text,
  color_max text,
  clarity text,
  clarity_max text,
  is_fancy boolean,
  fancy_color_intensity text,
  overtone text,
  cut_grade text,
  polish_grade text,
  symmetry_grade text,
  fluorescence text,
  eye_clean text,
  grow_method text,
  lab text,
  lab_name text,
  cert_num text,
  cert_url text,
  country_code text,
  cost numeric(12,2),
  list_price numeric(12,2),
  wholesale_price numeric(12,2),
  wholesale_price_us numeric(12,2),
  memo boolean,
  returnable boolean,
  memo_days_to_return integer,
  days_to_return integer,
  internal_days_to_return integer,
  delivery_days_min integer,
  delivery_days_max integer,
  image_top_url text,
  video_url text,
  ux_url text,
  original_imported_ext_url text,
  pair_vendor_sku text,
  pair_separable boolean,
  import_uuid uuid not null,
  quantity_after integer not null,
  cost_exact numeric(24,12),
  list_price_from_grid boolean not null default false,
  shade text,
  milky text,
  black_inclusion text,
  pair_sku text,
  can_hold boolean not null default true,
  is_sustainable boolean,
  sustainability_details jsonb,
  tolerance_positive numeric(5,3),
  tolerance_negative numeric(5,3),
  image_bottom_url text,
  cached_ux_url text,
  v360_json_base_url text,
  v360_info jsonb,
  media_requested boolean not null default false,
  constraint import_before_pkey PRIMARY KEY (import_uuid, gem_id),
  constraint import_before_import_uuid_fkey FOREIGN KEY (import_uuid) REFERENCES import(uuid) ON DELETE CASCADE
);

create table import_rejection (
  import_uuid uuid not null,
  place integer not null,
  "row" integer not null,
  "column" text not null,
  value text not null,
  reason text not null,
  quarantined boolean not null default false,
  vendor_sku text,
  uuid uuid not null default gen_random_uuid(),
  cells jsonb,
  draft jsonb,
  constraint import_rejection_pkey PRIMARY KEY (import_uuid, place),
  constraint import_rejection_import_uuid_fkey FOREIGN KEY (import_uuid) REFERENCES import(uuid) ON DELETE CASCADE
);
CREATE UNIQUE INDEX import_rejection_uuid ON import_rejection USING btree (uuid) WHERE quarantined;

create table jewelry_import (
  uuid uuid not null,
  supplier_id integer not null,
  mode text not null,
  file_name text not null default ''::text,
  report json not null,
  created_on timestamp with time zone not null default market_clock(),
  undone_on timestamp with time zone,
  failure text,
  rejected_rows json,
  constraint jewelry_import_pkey PRIMARY KEY (uuid),
  constraint jewelry_import_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint jewelry_import_mode_check CHECK (mode = ANY (ARRAY['update'::text, 'replace'::text]))
);
CREATE INDEX jewelry_import_of_supplier ON jewelry_import USING btree (supplier_id, created_on, uuid);

create table jewelry_import_row (
  import_uuid uuid not null,
  variant_id uuid not null,
  before json,
  quantity_after integer not null,
  constraint jewelry_import_row_pkey PRIMARY KEY (import_uuid, variant_id),
  constraint jewelry_import_row_import_uuid_fkey FOREIGN KEY (import_uuid) REFERENCES jewelry_import(uuid) ON DELETE CASCADE,
  constraint jewelry_import_row_variant_id_fkey FOREIGN KEY (variant_id) REFERENCES variant(id)
);

create table ledger_entry (
  order_uuid uuid not null,
  number integer not null,
  uuid uuid not null,
  merchant_uuid uuid not null,
  kind text not null,
  amount numeric(18,2) not null,
  currency_code text not null default 'USD'::text,
  label text not null default ''::text,
  charge_kind text,
  percent numeric(6,3),
  charge_number integer,
  method text not null default ''::text,
  reference text not null default ''::text,
  dated_on date not null,
  made_by text not null,
  reason text not null default ''::text,
  created_on timestamp with time zone not null default market_clock(),
  constraint ledger_entry_pkey PRIMARY KEY (order_uuid, number),
  constraint ledger_entry_order_uuid_fkey FOREIGN KEY (order_uuid) REFERENCES orders(uuid),
  constraint charges_have_a_kind CHECK ((kind = 'charge'::text) = (charge_kind IS NOT NULL)),
  constraint earlier_charges_are_taken_back CHECK (charge_number < number),
  constraint ledger_entry_charge_kind_check CHECK (charge_kind = ANY (ARRAY['shipping'::text, 'insurance'::text, 'tax'::text, 'fee'::text, 'discount'::text])),
  constraint ledger_entry_kind_check CHECK (kind = ANY (ARRAY['order'::text, 'charge'::text, 'payment'::text, 'credit'::text])),
  constraint ledger_entry_label_check CHECK (length(label) <= 200),
  constraint ledger_entry_made_by_check CHECK (length(made_by) >= 1 AND length(made_by) <= 200),
  constraint ledger_entry_method_check CHECK (length(method) <= 200),
  constraint ledger_entry_number_check CHECK (number >= 0),
  constraint ledger_entry_percent_check CHECK (percent > 0::numeric AND percent <= 100::numeric),
  constraint ledger_entry_reason_check CHECK (length(reason) <= 2000),
  constraint ledger_entry_reference_check CHECK (length(reference) <= 200)
);
CREATE INDEX ledger_by_day ON ledger_entry USING btree (dated_on) INCLUDE (order_uuid, kind, amount) WHERE kind = ANY (ARRAY['order'::text, 'payment'::text]);
CREATE INDEX ledger_of_merchant ON ledger_entry USING btree (merchant_uuid, created_on, order_uuid, number);
CREATE TRIGGER ledger_is_append_only BEFORE DELETE OR UPDATE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();

create table logo (
  sha256 text not null,
  picture bytea not null,
  created_on timestamp with time zone not null default market_now(),
  constraint logo_pkey PRIMARY KEY (sha256),
  constraint logo_picture_check CHECK (octet_length(picture) <= 262144),
  constraint logo_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'::text)
);

create table mail (
  uuid uuid not null,
  kind text not null,
  recipient text not null,
  subject text not null,
  body_text text,
  body_html text,
  sealed_body text,
  unsubscribe_url text,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  due_on timestamp with time zone not null,
  started_on timestamp with time zone not null,
  useful_until timestamp with time zone,
  sent_on timestamp with time zone,
  last_status integer,
  last_error text,
  created_on timestamp with time zone not null default market_now(),
  constraint mail_pkey PRIMARY KEY (uuid),
  constraint mail_attempts_check CHECK (attempts >= 0),
  constraint mail_has_a_body CHECK (state <> 'pending'::text OR sealed_body IS NOT NULL OR body_text IS NOT NULL AND body_html IS NOT NULL),
  constraint mail_state_check CHECK (state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'expired'::text])),
  constraint mail_subject_check CHECK (subject !~ '[\n\r]'::text),
  constraint mail_unsubscribe_url_check CHECK (unsubscribe_url !~ '\s'::text)
);
CREATE INDEX mail_by_time ON mail USING btree (created_on DESC, uuid);
CREATE INDEX mail_due ON mail USING btree (due_on) WHERE state = 'pending'::text;
CREATE INDEX mail_failed ON mail USING btree (created_on DESC, uuid) WHERE state = 'failed'::text;

create table market_event_clock (
  only_row boolean not null default true,
  last bigint not null,
  constraint market_event_clock_pkey PRIMARY KEY (only_row),
  constraint market_event_clock_only_row_check CHECK (only_row)
);

create table market_realm (
  only_row boolean not null default true,
  realm text not null,
  constraint market_realm_pkey PRIMARY KEY (only_row),
  constraint market_realm_has_one_row CHECK (only_row),
  constraint realm_is_known CHECK (realm = ANY (ARRAY['live'::text, 'test'::text]))
);

create table media_check (
  supplier_id integer not null,
  checked_on date not null,
  links integer not null default 0,
  dead integer not null default 0,
  constraint media_check_pkey PRIMARY KEY (supplier_id, checked_on),
  constraint media_check_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id) ON DELETE CASCADE,
  constraint media_check_check CHECK (dead >= 0 AND dead <= links),
  constraint media_check_links_check CHECK (links >= 0)
);

create table merchant (
  uuid uuid not null,
  external_id text not null default ''::text,
  activated boolean not null default true,
  deleted boolean not null default false,
  api_enabled boolean not null default true,
  test boolean not null default false,
  approval_status text,
  onboarding_status text not null default ''::text,
  subscription_status text not null default ''::text,
  first_name text not null default ''::text,
  last_name text not null default ''::text,
  legal_dba text not null,
  email text not null,
  internal_email text not null default ''::text,
  cc_emails text,
  business_phone text not null default ''::text,
  business_type text not null default ''::text,
  tax_id text not null default ''::text,
  url text,
  gateway_customer_id text not null default ''::text,
  country_code text not null,
  currency_code text not null default 'USD'::text,
  margin_mode text not null default 'weight'::text,
  billing_address_1 text not null default ''::text,
  billing_address_2 text not null default ''::text,
  billing_city text not null default ''::text,
  billing_country_code text not null default ''::text,
  billing_postal_code text not null default ''::text,
  billing_region text not null default ''::text,
  shipping_address_1 text not null default ''::text,
  shipping_address_2 text not null default ''::text,
  shipping_city text not null default ''::text,
  shipping_country_code text not null default ''::text,
  shipping_postal_code text not null default ''::text,
  shipping_region text not null default ''::text,
  "references" jsonb not null default '[]'::jsonb,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  max_holds integer,
  max_hold_hours integer,
  max_memo_stones integer,
  max_memo_value integer,
  max_addresses integer,
  max_templates integer,
  max_webhooks integer,
  max_keys integer,
  rate_limit_per_minute integer,
  price_adjustment jsonb,
  payment_terms_days integer not null default 30,
  credit_limit numeric(14,2),
  memo_limit numeric(14,2),
  constraint merchant_pkey PRIMARY KEY (uuid),
  constraint merchant_country_code_check CHECK (country_code ~ '^[A-Z]{2}$'::text),
  constraint merchant_credit_limit_check CHECK (credit_limit >= 0::numeric),
  constraint merchant_currency_code_check CHECK (currency_code ~ '^[A-Z]{3}$'::text),
  constraint merchant_margin_mode_check CHECK (margin_mode = ANY (ARRAY['weight'::text, 'price'::text])),
  constraint merchant_max_addresses_check CHECK (max_addresses >= 0),
  constraint merchant_max_hold_hours_check CHECK (max_hold_hours >= 1),
  constraint merchant_max_holds_check CHECK (max_holds >= 0),
  constraint merchant_max_keys_check CHECK (max_keys >= 0),
  constraint merchant_max_memo_stones_check CHECK (max_memo_stones >= 0),
  constraint merchant_max_memo_value_check CHECK (max_memo_value >= 0),
  constraint merchant_max_templates_check CHECK (max_templates >= 0),
  constraint merchant_max_webhooks_check CHECK (max_webhooks >= 0),
  constraint merchant_memo_limit_check CHECK (memo_limit >= 0::numeric),
  constraint merchant_payment_terms_days_check CHECK (payment_terms_days >= 0 AND payment_terms_days <= 365),
  constraint merchant_price_adjustment_check CHECK (price_adjustment IS NULL OR (((price_adjustment ->> 'mined_percent'::text))::numeric(5,2) >= '-50'::integer::numeric AND ((price_adjustment ->> 'mined_percent'::text))::numeric(5,2) <= 50::numeric AND ((price_adjustment ->> 'lab_percent'::text))::numeric(5,2) >= '-50'::integer::numeric AND ((price_adjustment ->> 'lab_percent'::text))::numeric(5,2) <= 50::numeric AND ((price_adjustment ->> 'gemstone_percent'::text))::numeric(5,2) >= '-50'::integer::numeric AND ((price_adjustment ->> 'gemstone_percent'::text))::numeric(5,2) <= 50::numeric AND ((price_adjustment ->> 'jewelry_percent'::text))::numeric(5,2) >= '-50'::integer::numeric AND ((price_adjustment ->> 'jewelry_percent'::text))::numeric(5,2) <= 50::numeric) IS TRUE),
  constraint rate_limit_is_not_negative CHECK (rate_limit_per_minute >= 0)
);
CREATE UNIQUE INDEX merchant_email ON merchant USING btree (lower(email)) WHERE NOT deleted;
CREATE TRIGGER merchant_changed AFTER DELETE OR UPDATE ON merchant FOR EACH ROW EXECUTE FUNCTION notify_access();

create table merchant_address (
  uuid uuid not null,
  merchant_uuid uuid not null,
  name text not null,
  phone text not null default ''::text,
  address_1 text not null,
  address_2 text not null default ''::text,
  city text not null,
  postal_code text not null,
  country_code text not null,
  region text not null default ''::text,
  address_type text not null default 'shipping'::text,
  is_default boolean not null default false,
  created_on timestamp with time zone not null default market_now(),
  constraint merchant_address_pkey PRIMARY KEY (uuid),
  constraint merchant_address_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint merchant_address_country_code_check CHECK (country_code ~ '^[A-Z]{2}$'::text)
);
CREATE UNIQUE INDEX merchant_address_default ON merchant_address USING btree (merchant_uuid) WHERE is_default;
CREATE INDEX merchant_address_list ON merchant_address USING btree (merchant_uuid, created_on, uuid);

create table merchant_template (
  uuid uuid not null,
  merchant_uuid uuid not null,
  "group" text not null,
  "position" integer not null,
  label text not null,
  color text not null,
  clarity text not null,
  grade_name text not null,
  "order" text,
  created_on timestamp with time zone not null default market_now(),
  constraint merchant_template_pkey PRIMARY KEY (uuid),
  constraint one_template_per_position UNIQUE (merchant_uuid, "group", "position") DEFERRABLE,
  constraint merchant_template_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint merchant_template_grade_name_check CHECK (grade_name = ANY (ARRAY['ideal'::text, 'excellent'::text, 'very good'::text])),
  constraint merchant_template_position_check CHECK ("position" >= 1)
);

create table notice (
  uuid uuid not null,
  event_uuid uuid not null,
  merchant_uuid uuid,
  supplier_uuid uuid,
  kind text not null,
  subject text not null,
  content jsonb not null,
  path text not null,
  created_on timestamp with time zone not null,
  constraint notice_pkey PRIMARY KEY (uuid),
  constraint notice_event_uuid_fkey FOREIGN KEY (event_uuid) REFERENCES event(uuid),
  constraint notice_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint notice_supplier_uuid_fkey FOREIGN KEY (supplier_uuid) REFERENCES supplier(uuid) ON DELETE CASCADE,
  constraint notice_subject_check CHECK (subject !~ '[\n\r]'::text),
  constraint notices_have_one_owner CHECK (merchant_uuid IS NULL OR supplier_uuid IS NULL)
);
CREATE INDEX notice_age ON notice USING btree (created_on);
CREATE INDEX notice_of_merchant ON notice USING btree (merchant_uuid, created_on DESC, uuid) WHERE merchant_uuid IS NOT NULL;
CREATE INDEX notice_of_operator ON notice USING btree (created_on DESC, uuid) WHERE merchant_uuid IS NULL AND supplier_uuid IS NULL;
CREATE INDEX notice_of_supplier ON notice USING btree (supplier_uuid, created_on DESC, uuid) WHERE supplier_uuid IS NOT NULL;

create table notice_place (
  only_row boolean not null default true,
  last bigint not null,
  constraint notice_place_pkey PRIMARY KEY (only_row),
  constraint notice_place_only_row_check CHECK (only_row)
);

create table notice_recipient (
  user_uuid uuid not null,
  notice_uuid uuid not null,
  mailed_on timestamp with time zone,
  constraint notice_recipient_pkey PRIMARY KEY (user_uuid, notice_uuid),
  constraint notice_recipient_notice_uuid_fkey FOREIGN KEY (notice_uuid) REFERENCES notice(uuid) ON DELETE CASCADE,
  constraint notice_recipient_user_uuid_fkey FOREIGN KEY (user_uuid) REFERENCES app_user(uuid) ON DELETE CASCADE
);
CREATE INDEX notice_recipient_mailed ON notice_recipient USING btree (user_uuid, mailed_on) WHERE mailed_on IS NOT NULL;
CREATE INDEX notice_recipient_notice ON notice_recipient USING btree (notice_uuid);
CREATE INDEX notice_recipient_waiting ON notice_recipient USING btree (user_uuid) WHERE mailed_on IS NULL;

create table notice_setting (
  uuid uuid not null default gen_random_uuid(),
  user_uuid uuid,
  merchant_uuid uuid,
  supplier_uuid uuid,
  kinds jsonb not null,
  updated_on timestamp with time zone not null default market_now(),
  constraint notice_setting_pkey PRIMARY KEY (uuid),
  constraint notice_settings_are_unique UNIQUE NULLS NOT DISTINCT (user_uuid, merchant_uuid, supplier_uuid),
  constraint notice_setting_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint notice_setting_supplier_uuid_fkey FOREIGN KEY (supplier_uuid) REFERENCES supplier(uuid) ON DELETE CASCADE,
  constraint notice_setting_user_uuid_fkey FOREIGN KEY (user_uuid) REFERENCES app_user(uuid) ON DELETE CASCADE,
  constraint notice_settings_have_one_owner CHECK (num_nonnulls(user_uuid, merchant_uuid, supplier_uuid) <= 1)
);

create table offer (
  gem_id bigint not null,
  certificate text collate "C" not null,
  leads boolean not null,
  leads_us boolean not null,
  seen boolean not null,
  seen_us boolean not null,
  held_until timestamp with time zone,
  held_by uuid,
  shown_on timestamp with time zone,
  on_memo boolean not null default false,
  on_memo_us boolean not null default false,
  constraint offer_pkey PRIMARY KEY (gem_id)
);
CREATE INDEX offer_holder ON offer USING btree (held_by) WHERE held_by IS NOT NULL;
CREATE INDEX offer_of_certificate ON offer USING btree (certificate);

create table order_count (
  merchant_uuid uuid not null,
  order_type text not null,
  payment_status text,
  fulfillment_status text,
  is_open boolean not null,
  debug boolean not null,
  orders integer not null,
  order_uuid uuid,
  transaction bigint not null default pg_current_xact_id()::text::bigint
);
CREATE INDEX order_count_of_merchant ON order_count USING btree (merchant_uuid);
CREATE INDEX order_count_since ON order_count USING btree (transaction);

create table order_line (
  uuid uuid not null,
  order_uuid uuid not null,
  "position" integer not null,
  name text not null,
  description text not null default ''::text,
  sku text not null,
  product_id text,
  product_type text not null,
  product jsonb not null default '{}'::jsonb,
  supplier_cost numeric(12,2),
  properties jsonb,
  vendor text,
  quantity integer not null,
  price numeric(14,4) not null,
  fulfilled_quantity integer not null default 0,
  cancelled_quantity integer not null default 0,
  returned_quantity integer not null default 0,
  open_quantity integer not null,
  stock_kind text,
  stock_id text,
  taken_quantity integer not null default 0,
  taken_from text,
  created_on timestamp with time zone not null,
  updated_on timestamp with time zone not null,
  supplier_id integer,
  confirmed_on timestamp with time zone,
  confirmed_by text,
  declined_on timestamp with time zone,
  step text,
  step_by text,
  unit_cost numeric(14,4),
  constraint order_line_pkey PRIMARY KEY (uuid),
  constraint order_line_position UNIQUE (order_uuid, "position"),
  constraint order_line_order_uuid_fkey FOREIGN KEY (order_uuid) REFERENCES orders(uuid),
  constraint order_line_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint confirmations_have_a_time CHECK ((confirmed_on IS NULL) = (confirmed_by IS NULL)),
  constraint declined_lines_wait_for_nothing CHECK (declined_on IS NULL OR open_quantity = 0 AND fulfilled_quantity = 0 AND cancelled_quantity > 0 AND confirmed_by IS DISTINCT FROM 'supplier'::text AND confirmed_by IS DISTINCT FROM 'operator'::text),
  constraint order_line_cancelled_quantity_check CHECK (cancelled_quantity >= 0),
  constraint order_line_confirmed_by_check CHECK (confirmed_by = ANY (ARRAY['placement'::text, 'supplier'::text, 'operator'::text])),
  constraint order_line_fulfilled_quantity_check CHECK (fulfilled_quantity >= 0),
  constraint order_line_open_quantity_check CHECK (open_quantity >= 0),
  constraint order_line_position_check CHECK ("position" >= 0),
  constraint order_line_price_check CHECK (price >= 0::numeric),
  constraint order_line_product_type_check CHECK (product_type = ANY (ARRAY['gem'::text, 'jewelry'::text, 'watch'::text, 'cert'::text])),
  constraint order_line_quantity_check CHECK (quantity >= 1),
  constraint order_line_returned_quantity_check CHECK (returned_quantity >= 0),
  constraint order_line_stock_kind_check CHECK (stock_kind = ANY (ARRAY['gem'::text, 'variant'::text])),
  constraint order_line_taken_quantity_check CHECK (taken_quantity >= 0),
  constraint taken_units_are_of_the_line CHECK (taken_quantity <= quantity),
  constraint units_add_up CHECK ((open_quantity + cancelled_quantity + fulfilled_quantity) <= quantity AND (open_quantity + cancelled_quantity + returned_quantity) <= quantity AND (open_quantity + cancelled_quantity + fulfilled_quantity + returned_quantity) >= quantity)
);
CREATE INDEX order_line_of_supplier ON order_line USING btree (supplier_id, created_on DESC, order_uuid) WHERE product_type <> 'cert'::text;
CREATE INDEX order_line_sku ON order_line USING btree (sku) WHERE sku <> ''::text;
CREATE INDEX order_line_sums ON order_line USING btree (order_uuid) INCLUDE (price, unit_cost, quantity, cancelled_quantity, returned_quantity) WHERE product_type <> 'cert'::text;
CREATE INDEX order_line_unconfirmed ON order_line USING btree (order_uuid) WHERE confirmed_by IS NULL AND open_quantity > 0;
CREATE TRIGGER order_steps BEFORE UPDATE ON order_line FOR EACH ROW EXECUTE FUNCTION guard_order_line();

create table order_return (
  uuid uuid not null,
  order_uuid uuid not null,
  merchant_uuid uuid not null,
  status text not null,
  reason text not null,
  reject_reason text not null default ''::text,
  created_on timestamp with time zone not null,
  updated_on timestamp with time zone not null,
  constraint order_return_pkey PRIMARY KEY (uuid),
  constraint order_return_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint order_return_order_uuid_fkey FOREIGN KEY (order_uuid) REFERENCES orders(uuid),
  constraint order_return_reason_check CHECK (length(reason) >= 1 AND length(reason) <= 200),
  constraint order_return_reject_reason_check CHECK (length(reject_reason) <= 200),
  constraint order_return_status_check CHECK (status = ANY (ARRAY['requested'::text, 'approved'::text, 'rejected'::text, 'received'::text]))
);
CREATE INDEX order_return_by_time ON order_return USING btree (created_on, uuid) INCLUDE (status, merchant_uuid);
CREATE INDEX order_return_of_merchant ON order_return USING btree (merchant_uuid, created_on, uuid) INCLUDE (status);
CREATE INDEX order_return_of_order ON order_return USING btree (order_uuid, created_on, uuid);
CREATE INDEX order_return_open ON order_return USING btree (created_on, uuid) WHERE status = ANY (ARRAY['requested'::text, 'approved'::text]);
CREATE INDEX order_return_received ON order_return USING btree (updated_on) WHERE status = 'received'::text;
CREATE TRIGGER return_steps BEFORE UPDATE OF status ON order_return FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION guard_return_status();

create table order_return_line (
  return_uuid uuid not null,
  line_uuid uuid not null,
  quantity integer not null,
  constraint order_return_line_pkey PRIMARY KEY (return_uuid, line_uuid),
  constraint order_return_line_line_uuid_fkey FOREIGN KEY (line_uuid) REFERENCES order_line(uuid),
  constraint order_return_line_return_uuid_fkey FOREIGN KEY (return_uuid) REFERENCES order_return(uuid),
  constraint order_return_line_quantity_check CHECK (quantity >= 1)
);
CREATE INDEX order_return_line_of_line ON order_return_line USING btree (line_uuid);

create table orders (
  uuid uuid not null,
  merchant_uuid uuid not null,
  order_id text not null,
  order_reference text not null default ''::text,
  order_type text not null,
  order_channel text not null,
  order_status text,
  payment_status text,
  fulfillment_status text,
  shipping_status text,
  notes text not null default ''::text,
  debug boolean not null default false,
  memo_id text,
  memo_due_date timestamp with time zone,
  ordered_on timestamp with time zone not null,
  updated_on timestamp with time zone not null,
  total numeric(18,4) not null,
  open_quantity integer not null,
  merchant jsonb not null,
  merchant_legal_dba text collate "C" not null,
  billing_address jsonb not null,
  shipping_address jsonb not null,
  margins jsonb not null,
  words tsvector not null,
  payment_terms_days integer not null default 30,
  invoiced_on timestamp with time zone,
  step text,
  step_by text,
  memo_reminder text,
  constraint orders_pkey PRIMARY KEY (uuid),
  constraint orders_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint invoices_are_not_due_back CHECK (order_type = 'memo'::text OR memo_due_date IS NULL),
  constraint memos_are_not_paid CHECK (order_type = 'invoice'::text OR payment_status IS NULL),
  constraint memos_have_a_number CHECK (order_type = 'invoice'::text OR memo_id IS NOT NULL),
  constraint orders_fulfillment_status_check CHECK (fulfillment_status = ANY (ARRAY['partial'::text, 'fulfilled'::text])),
  constraint orders_memo_reminder_check CHECK (memo_reminder = ANY (ARRAY['due_soon'::text, 'overdue'::text])),
  constraint orders_notes_check CHECK (length(notes) <= 2000),
  constraint orders_open_quantity_check CHECK (open_quantity >= 0),
  constraint orders_order_channel_check CHECK (order_channel = ANY (ARRAY['api'::text, 'console'::text, 'operator'::text])),
  constraint orders_order_id_check CHECK (length(order_id) >= 1 AND length(order_id) <= 200),
  constraint orders_order_reference_check CHECK (length(order_reference) <= 200),
  constraint orders_order_status_check CHECK (order_status = ANY (ARRAY['cancelled'::text, 'returned'::text, 'closed'::text])),
  constraint orders_order_type_check CHECK (order_type = ANY (ARRAY['invoice'::text, 'memo'::text])),
  constraint orders_payment_status_check CHECK (payment_status = 'paid'::text),
  constraint orders_payment_terms_days_check CHECK (payment_terms_days >= 0 AND payment_terms_days <= 365),
  constraint orders_shipping_status_check CHECK (shipping_status = ANY (ARRAY['partially_shipped'::text, 'shipped'::text])),
  constraint orders_total_check CHECK (total >= 0::numeric)
);
CREATE INDEX orders_by_merchant_name ON orders USING btree (merchant_legal_dba, uuid);
CREATE INDEX orders_by_time ON orders USING btree (ordered_on, uuid) INCLUDE (order_type, payment_status, fulfillment_status, debug, open_quantity, merchant_uuid);
CREATE INDEX orders_by_total ON orders USING btree (total, uuid);
CREATE INDEX orders_memo_due ON orders USING btree (memo_due_date) WHERE memo_due_date IS NOT NULL;
CREATE UNIQUE INDEX orders_memo_id ON orders USING btree (memo_id) WHERE memo_id IS NOT NULL;
CREATE INDEX orders_memos_to_remind ON orders USING btree (memo_due_date) WHERE order_type = 'memo'::text AND order_status IS NULL AND memo_reminder IS DISTINCT FROM 'overdue'::text;
CREATE INDEX orders_merchant_updated_on ON orders USING btree (merchant_uuid, updated_on);
CREATE INDEX orders_of_merchant ON orders USING btree (merchant_uuid, ordered_on, uuid) INCLUDE (order_type, payment_status, fulfillment_status, debug, open_quantity);
CREATE INDEX orders_of_merchant_by_total ON orders USING btree (merchant_uuid, total, uuid);
CREATE INDEX orders_of_tests ON orders USING btree (uuid) WHERE debug;
CREATE INDEX orders_on_memo ON orders USING btree (merchant_uuid) WHERE order_type = 'memo'::text AND order_status IS NULL;
CREATE INDEX orders_open_memos ON orders USING btree (memo_due_date, uuid) WHERE order_type = 'memo'::text AND order_status IS NULL;
CREATE UNIQUE INDEX orders_order_id ON orders USING btree (merchant_uuid, order_id);
CREATE UNIQUE INDEX orders_order_reference ON orders USING btree (merchant_uuid, order_reference) WHERE order_reference <> ''::text;
CREATE INDEX orders_to_ship ON orders USING btree (uuid) WHERE open_quantity > 0;
CREATE INDEX orders_unpaid ON orders USING btree (merchant_uuid) INCLUDE (uuid, invoiced_on, payment_terms_days) WHERE order_type = 'invoice'::text AND payment_status IS NULL;
CREATE INDEX orders_updated_on ON orders USING btree (updated_on);
CREATE INDEX orders_words ON orders USING gin (words);
CREATE TRIGGER order_count AFTER INSERT OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION count_order();
CREATE TRIGGER order_count_change AFTER UPDATE ON orders FOR EACH ROW WHEN (old.merchant_uuid IS DISTINCT FROM new.merchant_uuid OR old.order_type IS DISTINCT FROM new.order_type OR old.payment_status IS DISTINCT FROM new.payment_status OR old.fulfillment_status IS DISTINCT FROM new.fulfillment_status OR (old.open_quantity > 0) IS DISTINCT FROM (new.open_quantity > 0) OR old.debug IS DISTINCT FROM new.debug) EXECUTE FUNCTION count_order();
CREATE TRIGGER order_steps BEFORE UPDATE ON orders FOR EACH ROW WHEN (old.order_type <> new.order_type OR new.step IS NOT NULL OR new.step_by IS NOT NULL) EXECUTE FUNCTION guard_order();

create table own_hold (
  hold_uuid uuid not null,
  expires_on timestamp with time zone not null,
  constraint own_hold_pkey PRIMARY KEY (hold_uuid)
);
CREATE INDEX own_hold_age ON own_hold USING btree (expires_on);

create table price_change (
  gem_id bigint not null,
  n integer not null,
  changed_on timestamp with time zone not null default market_clock(),
  wholesale_price_before numeric(12,2) not null,
  wholesale_price_us_before numeric(12,2) not null,
  constraint price_change_pkey PRIMARY KEY (gem_id, n),
  constraint price_change_gem_id_fkey FOREIGN KEY (gem_id) REFERENCES gem(id) ON DELETE CASCADE
);

create table price_grid (
  uuid uuid not null,
  shape text not null,
  dated_on date not null,
  file_name text not null,
  row_count integer not null,
  loaded_on timestamp with time zone not null default market_now(),
  applied_on timestamp with time zone,
  constraint price_grid_pkey PRIMARY KEY (uuid),
  constraint price_grid_shape_check CHECK (shape = ANY (ARRAY['BR'::text, 'PS'::text]))
);
CREATE INDEX price_grid_newest ON price_grid USING btree (shape, dated_on DESC, loaded_on DESC, uuid);

create table price_grid_cell (
  grid_uuid uuid not null,
  clarity text not null,
  color text not null,
  weight_min numeric(8,4) not null,
  weight_max numeric(8,4) not null,
  price_per_carat numeric(12,2) not null,
  constraint price_grid_cell_pkey PRIMARY KEY (grid_uuid, clarity, color, weight_min),
  constraint price_grid_cell_grid_uuid_fkey FOREIGN KEY (grid_uuid) REFERENCES price_grid(uuid) ON DELETE CASCADE,
  constraint price_grid_cell_check CHECK (weight_min <= weight_max),
  constraint price_grid_cell_price_per_carat_check CHECK (price_per_carat > 0::numeric),
  constraint price_grid_cell_weight_min_check CHECK (weight_min >= 0::numeric)
);

create table product (
  id uuid not null,
  supplier_id integer not null,
  vendor_sku text not null,
  type text not null,
  title text not null,
  description text not null default ''::text,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  constraint product_pkey PRIMARY KEY (id),
  constraint product_of_supplier UNIQUE (supplier_id, vendor_sku),
  constraint product_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint product_title_check CHECK (title <> ''::text),
  constraint product_type_check CHECK (type = ANY (ARRAY['jewelry'::text, 'watch'::text]))
);

create table product_queue (
  id bigint generated always as identity not null,
  product_id uuid,
  constraint product_queue_pkey PRIMARY KEY (id)
);

create table product_version (
  product_id uuid not null,
  version bigint not null,
  constraint product_version_pkey PRIMARY KEY (product_id),
  constraint product_version_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);
CREATE INDEX product_version_since ON product_version USING btree (version);

create table profit_margin (
  uuid uuid not null,
  merchant_uuid uuid not null,
  product_type text not null default 'diamond'::text,
  weight_or_price text not null,
  weight_min numeric(9,4) not null default 0,
  weight_max numeric(9,4) not null default 0,
  price_min numeric(14,2) not null default 0,
  price_max numeric(14,2) not null default 0,
  mined_percent numeric(7,2) not null,
  lab_percent numeric(7,2) not null,
  constraint profit_margin_pkey PRIMARY KEY (uuid),
  constraint profit_margin_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint profit_margin_lab_percent_check CHECK (lab_percent >= 0::numeric),
  constraint profit_margin_mined_percent_check CHECK (mined_percent >= 0::numeric),
  constraint profit_margin_product_type_check CHECK (product_type = ANY (ARRAY['diamond'::text, 'gemstone'::text])),
  constraint profit_margin_weight_or_price_check CHECK (weight_or_price = ANY (ARRAY['weight'::text, 'price'::text])),
  constraint tier_bounds CHECK (0::numeric <= weight_min AND weight_min <= weight_max AND 0::numeric <= price_min AND price_min <= price_max)
);
CREATE INDEX profit_margin_of_merchant ON profit_margin USING btree (merchant_uuid, product_type, weight_min, price_min);
CREATE TRIGGER profit_margin_changed AFTER INSERT OR DELETE OR UPDATE ON profit_margin FOR EACH ROW EXECUTE FUNCTION notify_access();

create table quarantine_decision (
  supplier_id integer not null,
  vendor_sku text not null,
  decision text not null,
  price_text text not null,
  weight numeric not null,
  decided_on timestamp with time zone not null default market_now(),
  constraint quarantine_decision_pkey PRIMARY KEY (supplier_id, vendor_sku),
  constraint quarantine_decision_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id) ON DELETE CASCADE,
  constraint quarantine_decision_decision_check CHECK (decision = ANY (ARRAY['released'::text, 'dismissed'::text]))
);

create table quote (
  uuid uuid not null,
  merchant_uuid uuid not null,
  status text not null,
  currency_code text not null,
  exchange_rate numeric(18,8) not null,
  hold boolean not null,
  held_until timestamp with time zone,
  reason text not null default ''::text,
  order_uuid uuid,
  created_on timestamp with time zone not null,
  updated_on timestamp with time zone not null,
  expires_on timestamp with time zone not null,
  constraint quote_pkey PRIMARY KEY (uuid),
  constraint quote_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint quote_order_uuid_fkey FOREIGN KEY (order_uuid) REFERENCES orders(uuid),
  constraint held_quotes_have_an_end CHECK (held_until IS NULL OR hold),
  constraint ordered_quotes_have_an_order CHECK ((status = 'ordered'::text) = (order_uuid IS NOT NULL)),
  constraint quote_currency_code_check CHECK (currency_code ~ '^[A-Z]{3}$'::text),
  constraint quote_exchange_rate_check CHECK (exchange_rate > 0::numeric),
  constraint quote_reason_check CHECK (length(reason) <= 200),
  constraint quote_status_check CHECK (status = ANY (ARRAY['open'::text, 'requested'::text, 'declined'::text, 'ordered'::text]))
);
CREATE INDEX quote_by_time ON quote USING btree (created_on, uuid) INCLUDE (status, expires_on, merchant_uuid);
CREATE INDEX quote_live ON quote USING btree (merchant_uuid, expires_on) INCLUDE (status) WHERE status = ANY (ARRAY['open'::text, 'requested'::text]);
CREATE INDEX quote_live_by_status ON quote USING btree (status, expires_on) WHERE status = ANY (ARRAY['open'::text, 'requested'::text]);
CREATE INDEX quote_of_merchant ON quote USING btree (merchant_uuid, created_on, uuid) INCLUDE (status, expires_on);
CREATE UNIQUE INDEX quote_of_order ON quote USING btree (order_uuid) WHERE order_uuid IS NOT NULL;
CREATE TRIGGER quote_steps BEFORE UPDATE OF status ON quote FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION guard_quote_status();

create table quote_line (
  quote_uuid uuid not null,
  "position" integer not null,
  sku text not null,
  quantity integer not null,
  name text not null,
  description text not null,
  product_type text not null,
  melee boolean not null,
  price numeric(14,4) not null,
  wholesale_price numeric(24,4) not null,
  market_price numeric(24,4) not null,
  retail_price numeric(24,4) not null,
  offer_price numeric(24,4),
  terms jsonb not null,
  hold_uuid uuid,
  constraint quote_line_pkey PRIMARY KEY (quote_uuid, "position"),
  constraint a_product_once_in_a_quote UNIQUE (quote_uuid, sku),
  constraint quote_line_quote_uuid_fkey FOREIGN KEY (quote_uuid) REFERENCES quote(uuid) ON DELETE CASCADE,
  constraint quote_line_market_price_check CHECK (market_price >= 0::numeric),
  constraint quote_line_offer_price_check CHECK (offer_price > 0::numeric),
  constraint quote_line_position_check CHECK ("position" >= 0),
  constraint quote_line_price_check CHECK (price >= 0::numeric),
  constraint quote_line_product_type_check CHECK (product_type = ANY (ARRAY['gem'::text, 'jewelry'::text, 'watch'::text])),
  constraint quote_line_quantity_check CHECK (quantity >= 1),
  constraint quote_line_retail_price_check CHECK (retail_price >= 0::numeric),
  constraint quote_line_wholesale_price_check CHECK (wholesale_price >= 0::numeric)
);
CREATE INDEX quote_line_hold ON quote_line USING btree (hold_uuid) WHERE hold_uuid IS NOT NULL;

create unlogged table rate_count (
  caller_uuid uuid not null,
  minute integer not null,
  node uuid not null,
  count integer not null,
  constraint rate_count_pkey PRIMARY KEY (minute, caller_uuid, node)
);

create table saved_search (
  uuid uuid not null,
  merchant_uuid uuid not null,
  name text not null,
  kind text not null,
  filters jsonb not null,
  max_retail_price numeric(12,2),
  alert text not null,
  version bigint not null default 0,
  known boolean not null default false,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  constraint saved_search_pkey PRIMARY KEY (uuid),
  constraint saved_search_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint saved_search_alert_check CHECK (alert = ANY (ARRAY['off'::text, 'instant'::text, 'daily'::text])),
  constraint saved_search_kind_check CHECK (kind = ANY (ARRAY['diamond'::text, 'gemstone'::text])),
  constraint saved_search_max_retail_price_check CHECK (max_retail_price > 0::numeric)
);
CREATE INDEX saved_search_alerts ON saved_search USING btree (uuid) WHERE alert <> 'off'::text;
CREATE INDEX saved_search_list ON saved_search USING btree (merchant_uuid, created_on, uuid);

create table saved_search_stones (
  search_uuid uuid not null,
  number bigint generated always as identity not null,
  stones bytea not null,
  last_id bigint not null,
  due_on timestamp with time zone,
  constraint saved_search_stones_pkey PRIMARY KEY (search_uuid, number),
  constraint saved_search_stones_search_uuid_fkey FOREIGN KEY (search_uuid) REFERENCES saved_search(uuid) ON DELETE CASCADE
);
CREATE INDEX saved_search_stones_due ON saved_search_stones USING btree (due_on, search_uuid) WHERE due_on IS NOT NULL;

create unlogged table search_count (
  minute integer not null,
  node uuid not null,
  count integer not null,
  constraint search_count_pkey PRIMARY KEY (minute, node)
);

create table search_day (
  day date not null,
  kind text not null,
  searches bigint not null,
  empty bigint not null,
  constraint search_day_pkey PRIMARY KEY (day, kind),
  constraint empty_searches_are_searches CHECK (empty >= 0 AND empty <= searches),
  constraint search_day_kind_check CHECK (kind = ANY (ARRAY['diamond'::text, 'gemstone'::text, 'curated'::text])),
  constraint search_day_searches_check CHECK (searches >= 0)
);

create table secret_key (
  only_row boolean not null default true,
  key_id text,
  used_since timestamp with time zone not null default market_now(),
  constraint secret_key_pkey PRIMARY KEY (only_row),
  constraint secret_key_key_id_check CHECK (key_id ~ '^[0-9a-f]{16}$'::text),
  constraint secret_key_only_row_check CHECK (only_row)
);

create table served_address (
  only_row boolean not null default true,
  url text not null,
  constraint served_address_pkey PRIMARY KEY (only_row),
  constraint served_address_only_row_check CHECK (only_row)
);

create table setting (
  name text not null,
  value text not null,
  updated_on timestamp with time zone not null default market_now(),
  constraint setting_pkey PRIMARY KEY (name),
  constraint setting_name_check CHECK (length(name) <= 100),
  constraint setting_value_check CHECK (length(value) >= 1 AND length(value) <= 4000)
);

create table share (
  uuid uuid not null,
  hash bytea not null,
  merchant_uuid uuid not null,
  skus text[] not null,
  title text,
  note text,
  created_by text not null,
  created_on timestamp with time zone not null default market_now(),
  expires_on timestamp with time zone not null,
  revoked_on timestamp with time zone,
  constraint share_pkey PRIMARY KEY (uuid),
  constraint share_hash_key UNIQUE (hash),
  constraint share_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint shares_have_stones CHECK (cardinality(skus) >= 1 AND cardinality(skus) <= 20)
);
CREATE INDEX share_end ON share USING btree (LEAST(revoked_on, expires_on));
CREATE INDEX share_list ON share USING btree (merchant_uuid, created_on, uuid);

create table shown_variant (
  variant_id uuid not null,
  sku text not null,
  product_type text not null,
  listed boolean not null,
  quantity integer not null,
  wholesale_price numeric(12,2) not null,
  wholesale_price_us numeric(12,2) not null,
  retail_price numeric(12,2) not null,
  media text not null,
  details text not null,
  is_public boolean not null,
  merchants uuid[] not null,
  constraint shown_variant_pkey PRIMARY KEY (variant_id)
);

create table showroom_clock (
  only_row boolean not null default true,
  last bigint not null,
  constraint showroom_clock_pkey PRIMARY KEY (only_row),
  constraint showroom_clock_only_row_check CHECK (only_row)
);

create table sign_in_attempt (
  key bytea not null,
  count integer not null,
  ends_on timestamp with time zone not null,
  constraint sign_in_attempt_pkey PRIMARY KEY (key)
);
CREATE INDEX sign_in_attempt_end ON sign_in_attempt USING btree (ends_on);

create table sign_in_link (
  hash bytea not null,
  merchant_uuid uuid,
  created_on timestamp with time zone not null default market_now(),
  expires_on timestamp with time zone not null,
  used_on timestamp with time zone,
  supplier_uuid uuid,
  user_uuid uuid,
  invites boolean not null default false,
  constraint sign_in_link_pkey PRIMARY KEY (hash),
  constraint sign_in_link_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint sign_in_link_supplier_uuid_fkey FOREIGN KEY (supplier_uuid) REFERENCES supplier(uuid) ON DELETE CASCADE,
  constraint sign_in_link_user_uuid_fkey FOREIGN KEY (user_uuid) REFERENCES app_user(uuid) ON DELETE CASCADE
);
CREATE INDEX sign_in_link_age ON sign_in_link USING btree (expires_on);
CREATE INDEX sign_in_link_of_user ON sign_in_link USING btree (user_uuid) WHERE user_uuid IS NOT NULL;

create table supplier (
  id integer generated always as identity not null,
  uuid uuid not null,
  name text not null,
  contact text not null default ''::text,
  country_code text,
  currency_code text not null default 'USD'::text,
  markup numeric(7,2) not null default 0,
  markup_us numeric(7,2) not null default 0,
  delivery_days_min integer not null default 3,
  delivery_days_max integer not null default 7,
  returnable boolean not null default true,
  days_to_return integer not null default 14,
  memo boolean not null default false,
  memo_days_to_return integer not null default 14,
  internal_days_to_return integer not null default 21,
  si3 text not null default 'SI2'::text,
  fresh_days integer default 8,
  mapping jsonb,
  synced_on timestamp with time zone,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  stone_type text,
  reading jsonb,
  jewelry_mapping jsonb,
  markup_set_on timestamp with time zone,
  can_hold boolean not null default true,
  confirms boolean not null default false,
  ships boolean not null default false,
  constraint supplier_pkey PRIMARY KEY (id),
  constraint supplier_uuid_key UNIQUE (uuid),
  constraint delivery_days CHECK (delivery_days_min <= delivery_days_max),
  constraint stone_type_is_known CHECK (stone_type = ANY (ARRAY['mined'::text, 'lab grown'::text, 'both'::text])),
  constraint supplier_country_code_check CHECK (country_code ~ '^[A-Z]{3}$'::text),
  constraint supplier_currency_code_check CHECK (currency_code ~ '^[A-Z]{3}$'::text),
  constraint supplier_days_to_return_check CHECK (days_to_return >= 0),
  constraint supplier_delivery_days_min_check CHECK (delivery_days_min >= 0),
  constraint supplier_fresh_days_check CHECK (fresh_days > 0),
  constraint supplier_internal_days_to_return_check CHECK (internal_days_to_return >= 0),
  constraint supplier_markup_check CHECK (markup > '-100'::integer::numeric),
  constraint supplier_markup_us_check CHECK (markup_us > '-100'::integer::numeric),
  constraint supplier_memo_days_to_return_check CHECK (memo_days_to_return >= 0),
  constraint supplier_si3_check CHECK (si3 = ANY (ARRAY['SI2'::text, 'I1'::text]))
);
CREATE UNIQUE INDEX supplier_name ON supplier USING btree (lower(name));

create table token (
  uuid uuid not null,
  merchant_uuid uuid,
  type text not null,
  name text not null default ''::text,
  scopes text[] not null,
  hash bytea not null,
  hint text not null,
  rate_limit_per_minute integer,
  created_on timestamp with time zone not null default market_now(),
  expires_on timestamp with time zone,
  revoked_on timestamp with time zone,
  last_used_on timestamp with time zone,
  is_session boolean not null default false,
  made_by uuid,
  allowed_addresses text[] not null default '{}'::text[],
  supplier_uuid uuid,
  user_uuid uuid,
  opened_with text,
  budget_orders_per_day integer,
  budget_amount_per_day numeric(14,2),
  budget_amount_per_order numeric(14,2),
  budget_key uuid,
  origins text[] not null default '{}'::text[],
  constraint token_pkey PRIMARY KEY (uuid),
  constraint token_hash_key UNIQUE (hash),
  constraint token_made_by_fkey FOREIGN KEY (made_by) REFERENCES token(uuid) ON DELETE CASCADE,
  constraint token_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint token_supplier_uuid_fkey FOREIGN KEY (supplier_uuid) REFERENCES supplier(uuid) ON DELETE CASCADE,
  constraint token_user_uuid_fkey FOREIGN KEY (user_uuid) REFERENCES app_user(uuid) ON DELETE SET NULL,
  constraint allowed_addresses_are_few CHECK (cardinality(allowed_addresses) <= 20),
  constraint budgets_have_a_key CHECK ((budget_key IS NULL) = (COALESCE(budget_orders_per_day::numeric, budget_amount_per_day, budget_amount_per_order) IS NULL)),
  constraint origins_are_few CHECK (cardinality(origins) <= 20),
  constraint publishable_keys_have_origins CHECK ((type = 'publishable'::text) = (cardinality(origins) > 0)),
  constraint token_budget_amount_per_day_check CHECK (budget_amount_per_day >= 0::numeric),
  constraint token_budget_amount_per_order_check CHECK (budget_amount_per_order >= 0::numeric),
  constraint token_budget_orders_per_day_check CHECK (budget_orders_per_day >= 0),
  constraint token_opened_with_check CHECK (opened_with = ANY (ARRAY['link'::text, 'password'::text, 'key'::text])),
  constraint token_rate_limit_per_minute_check CHECK (rate_limit_per_minute >= 0),
  constraint token_type_check CHECK (type = ANY (ARRAY['api_key'::text, 'merchant'::text, 'admin'::text, 'supplier'::text, 'publishable'::text])),
  constraint tokens_have_one_owner CHECK ((merchant_uuid IS NOT NULL) = (type = ANY (ARRAY['api_key'::text, 'merchant'::text, 'publishable'::text])) AND (supplier_uuid IS NOT NULL) = (type = 'supplier'::text))
);
CREATE INDEX token_made_by ON token USING btree (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX token_of_merchant ON token USING btree (merchant_uuid, created_on, uuid);
CREATE INDEX token_of_supplier ON token USING btree (supplier_uuid, created_on, uuid) WHERE supplier_uuid IS NOT NULL;
CREATE INDEX token_of_user ON token USING btree (user_uuid, created_on, uuid) WHERE user_uuid IS NOT NULL;
CREATE TRIGGER token_changed AFTER DELETE OR UPDATE OF revoked_on, expires_on, scopes, rate_limit_per_minute ON token FOR EACH ROW EXECUTE FUNCTION notify_access();
CREATE TRIGGER token_ends_what_it_made AFTER UPDATE OF revoked_on, expires_on ON token FOR EACH ROW EXECUTE FUNCTION end_made_tokens();

create table unsubscribe_token (
  token text not null,
  user_uuid uuid not null,
  constraint unsubscribe_token_pkey PRIMARY KEY (token),
  constraint unsubscribe_token_user_uuid_key UNIQUE (user_uuid),
  constraint unsubscribe_token_user_uuid_fkey FOREIGN KEY (user_uuid) REFERENCES app_user(uuid) ON DELETE CASCADE
);

create table user_password (
  user_uuid uuid not null,
  salt bytea not null,
  hash bytea not null,
  cost integer not null,
  block_size integer not null,
  parallelism integer not null,
  set_on timestamp with time zone not null default market_now(),
  constraint user_password_pkey PRIMARY KEY (user_uuid),
  constraint user_password_user_uuid_fkey FOREIGN KEY (user_uuid) REFERENCES app_user(uuid) ON DELETE CASCADE
);

create table variant (
  id uuid not null,
  product_id uuid not null,
  supplier_id integer not null,
  sku text not null,
  vendor_sku text not null,
  "position" integer not null default 0,
  variant_options json not null default '{}'::json,
  filter_variant_options json not null default '{}'::json,
  cost numeric(12,2) not null,
  wholesale_price numeric(12,2) not null,
  wholesale_price_us numeric(12,2) not null,
  retail_price numeric(12,2) not null,
  listed boolean not null default true,
  quantity integer not null default 1,
  feed_quantity integer,
  returnable boolean not null default true,
  days_to_return integer,
  memo boolean not null default false,
  memo_days_to_return integer,
  delivery_days_min integer,
  delivery_days_max integer,
  media json not null default '[]'::json,
  country_code text,
  details json not null default '{}'::json,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  constraint variant_pkey PRIMARY KEY (id),
  constraint variant_of_supplier UNIQUE (supplier_id, vendor_sku),
  constraint variant_sku_key UNIQUE (sku),
  constraint variant_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint variant_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint variant_cost_check CHECK (cost > 0::numeric),
  constraint variant_country_code_check CHECK (country_code ~ '^[A-Z]{3}$'::text),
  constraint variant_delivery_days CHECK (delivery_days_min <= delivery_days_max),
  constraint variant_retail_price_check CHECK (retail_price > 0::numeric),
  constraint variant_stock_is_not_negative CHECK (quantity >= 0),
  constraint variant_wholesale_price_check CHECK (wholesale_price > 0::numeric),
  constraint variant_wholesale_price_us_check CHECK (wholesale_price_us > 0::numeric)
);
CREATE INDEX variant_of_product ON variant USING btree (product_id, "position", id);

create table watch_place (
  only_row boolean not null default true,
  place bigint not null,
  constraint watch_place_pkey PRIMARY KEY (only_row),
  constraint watch_place_only_row_check CHECK (only_row)
);

create table watched_stone (
  merchant_uuid uuid not null,
  sku text not null,
  wholesale_price numeric(12,2) not null,
  told_status text not null,
  told_price numeric(12,2) not null,
  back_on timestamp with time zone,
  created_by text not null,
  created_on timestamp with time zone not null default market_now(),
  constraint watched_stone_pkey PRIMARY KEY (merchant_uuid, sku),
  constraint watched_stone_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint watched_stone_told_status_check CHECK (told_status = ANY (ARRAY['available'::text, 'held'::text, 'sold'::text, 'withdrawn'::text]))
);
CREATE INDEX watched_stone_list ON watched_stone USING btree (merchant_uuid, created_on, sku);
CREATE INDEX watched_stone_sku ON watched_stone USING btree (sku);

create table webhook_attempt (
  delivery_uuid uuid not null,
  number integer not null,
  attempted_on timestamp with time zone not null default clock_timestamp(),
  duration_ms integer not null,
  status integer,
  error text,
  constraint webhook_attempt_pkey PRIMARY KEY (delivery_uuid, number),
  constraint webhook_attempt_delivery_uuid_fkey FOREIGN KEY (delivery_uuid) REFERENCES webhook_delivery(uuid) ON DELETE CASCADE
);

create table webhook_delivery (
  uuid uuid not null default gen_random_uuid(),
  endpoint_uuid uuid not null,
  event_uuid uuid not null,
  order_uuid uuid,
  sequence bigint not null,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  due_on timestamp with time zone not null default clock_timestamp(),
  started_on timestamp with time zone not null default clock_timestamp(),
  created_on timestamp with time zone not null default clock_timestamp(),
  delivered_on timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (uuid),
  constraint one_delivery_per_endpoint UNIQUE (endpoint_uuid, event_uuid),
  constraint webhook_delivery_endpoint_uuid_fkey FOREIGN KEY (endpoint_uuid) REFERENCES webhook_endpoint(uuid) ON DELETE CASCADE,
  constraint webhook_delivery_event_uuid_fkey FOREIGN KEY (event_uuid) REFERENCES event(uuid),
  constraint webhook_delivery_state_check CHECK (state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))
);
CREATE INDEX webhook_delivery_age ON webhook_delivery USING btree (created_on) WHERE state <> 'pending'::text;
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (due_on) WHERE state = 'pending'::text;
CREATE INDEX webhook_delivery_log ON webhook_delivery USING btree (endpoint_uuid, created_on, uuid);
CREATE INDEX webhook_delivery_turn ON webhook_delivery USING btree (endpoint_uuid, order_uuid, sequence) WHERE state = 'pending'::text;

create table webhook_endpoint (
  uuid uuid not null,
  merchant_uuid uuid not null,
  url text not null,
  description text not null default ''::text,
  event_types text[],
  secret text not null,
  earlier_secret text,
  earlier_secret_until timestamp with time zone,
  disabled_on timestamp with time zone,
  created_on timestamp with time zone not null default market_now(),
  updated_on timestamp with time zone not null default market_now(),
  constraint webhook_endpoint_pkey PRIMARY KEY (uuid),
  constraint webhook_endpoint_merchant_uuid_fkey FOREIGN KEY (merchant_uuid) REFERENCES merchant(uuid),
  constraint earlier_secret_ends CHECK ((earlier_secret IS NULL) = (earlier_secret_until IS NULL)),
  constraint webhook_endpoint_event_types_check CHECK (cardinality(event_types) > 0),
  constraint webhook_endpoint_url_check CHECK (length(url) <= 2000)
);
CREATE INDEX webhook_endpoint_of_merchant ON webhook_endpoint USING btree (merchant_uuid, created_on, uuid);

create sequence memo_number;

create sequence packing_slip_number;

CREATE OR REPLACE FUNCTION public.certificate_of(product_type text, lab text, lab_original text, cert_num text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (product_type <> 'melee'::text) THEN ((NULLIF(letters_and_digits(cert_num), ''::text) || '/'::text) || NULLIF(letters_and_digits(COALESCE(lab, lab_original)), ''::text)) ELSE NULL::text END;

CREATE OR REPLACE FUNCTION public.count_hold_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ended timestamptz := least(market_clock(), old.hold_expires_on);
  began timestamptz := least(old.hold_created_on, ended);
begin
  insert into hold_time (gem_id, merchant_uuid, held_seconds, held_until)
  values (old.id, old.hold_merchant_uuid, extract(epoch from ended - began)
    + held_before(old.id, old.hold_merchant_uuid, began), ended)
  on conflict (gem_id, merchant_uuid) do update
    set held_seconds = excluded.held_seconds, held_until = excluded.held_until;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    insert into order_count values (old.merchant_uuid, old.order_type, old.payment_status,
      old.fulfillment_status, old.open_quantity > 0, old.debug, -1,
      case when tg_op = 'UPDATE' then old.uuid end);
  end if;
  if tg_op <> 'DELETE' then
    insert into order_count values (new.merchant_uuid, new.order_type, new.payment_status,
      new.fulfillment_status, new.open_quantity > 0, new.debug, 1, new.uuid);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_old_audit_entries(keep_days integer, most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.end_made_tokens()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.entry_size(gem_ids bigint[])
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(cardinality(gem_ids), 1);

CREATE OR REPLACE FUNCTION public.follow_history()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  present text := server_history();
  synchronous boolean := current_setting('synchronous_standby_names') <> '';
  clock change_clock;
  above bigint;
begin
  if exists (select from change_clock where history = present and replicated = synchronous) then
    return;
  end if;
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  select * into clock from change_clock for update;
  above := clock.last;
  if clock.history is distinct from present then
    above := clock.last + 100000000;
    if clock.replicated then
      -- Nothing was numbered since an earlier failover: what went on here goes on later.
      update change_continuation set first = above + 1 where first = clock.last + 1;
      insert into change_continuation (after, first) values (clock.last, above + 1);
    else
      update change_clock set unbroken_after = above;
      update event_clock set last = last + 1000000;
    end if;
    perform pg_notify('pavilion_change', above::text);
  end if;
  update change_clock set last = above, history = present, replicated = synchronous;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_gem_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  came_from text := life_state(old);
  goes_to text := life_state(new);
begin
  if came_from = goes_to and came_from <> 'held' then
    -- The state stays, for example when the columns of an expired lease are cleared.
    new.mover := null;
    return new;
  end if;
  if (new.mover, came_from, goes_to) in (
    ('feed', 'available', 'gone'),
    ('feed', 'gone', 'available'),
    ('order', 'available', 'memo'),
    ('order', 'available', 'sold'),
    ('order', 'held', 'memo'),
    ('order', 'held', 'sold'),
    ('order', 'memo', 'available'),
    ('order', 'memo', 'disabled'),
    ('order', 'memo', 'gone'),
    ('order', 'memo', 'sold'),
    ('order', 'sold', 'available'),
    ('order', 'sold', 'disabled'),
    ('order', 'sold', 'gone'),
    ('order', 'gone', 'memo'),
    ('order', 'gone', 'sold'),
    ('operator', 'available', 'disabled'),
    ('operator', 'held', 'available'),
    ('operator', 'held', 'disabled'),
    ('operator', 'gone', 'disabled'),
    ('operator', 'disabled', 'available'),
    ('operator', 'disabled', 'gone'),
    ('hold', 'available', 'held'),
    ('hold', 'available', 'gone'),
    ('hold', 'held', 'available'),
    ('hold', 'held', 'gone'),
    ('hold', 'held', 'held')
  ) and (came_from <> 'held' or goes_to <> 'held'
    or old.hold_merchant_uuid = new.hold_merchant_uuid) then
    new.mover := null;
    return new;
  end if;
  raise exception 'gem %: % may not move it from % to %',
    old.sku, coalesce(new.mover, 'nobody'), came_from, goes_to
    using errcode = 'check_violation', constraint = 'gem_moves';
end $function$;

CREATE OR REPLACE FUNCTION public.guard_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.order_type <> new.order_type
    and (new.step, new.step_by, old.order_type, new.order_type)
      is distinct from ('convert', 'operator', 'memo', 'invoice') then
    raise exception 'order %: % by % may not turn a % into a %', old.uuid,
      coalesce(new.step, 'no step'), coalesce(new.step_by, 'nobody'), old.order_type, new.order_type
      using errcode = 'check_violation', constraint = 'order_steps';
  end if;
  new.step := null;
  new.step_by := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_order_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was text := waiting_state(old);
  is_now text := waiting_state(new);
  shipped integer := new.fulfilled_quantity - old.fulfilled_quantity;
  cancelled integer := new.cancelled_quantity - old.cancelled_quantity;
  returned integer := new.returned_quantity - old.returned_quantity;
  from_waiting integer := old.open_quantity - new.open_quantity;
  from_buyer integer := shipped + cancelled + returned - from_waiting;
  kind text;
  broken text;
begin
  select order_type into kind from orders where uuid = old.order_uuid;
  broken := case
    when (old.order_uuid, old.sku, old.quantity, old.price)
      is distinct from (new.order_uuid, new.sku, new.quantity, new.price)
      then 'what was agreed may not change'
    when least(shipped, cancelled, returned, from_waiting, from_buyer) < 0 or from_buyer > returned
      then 'units do not move that way'
    when shipped > 0 and not may_move_units(new.step, new.step_by, kind, was, 'shipped')
      then was || ' units may not ship'
    when cancelled > 0 and not may_move_units(new.step, new.step_by, kind, was, 'cancelled')
      then was || ' units may not be cancelled'
    when returned > from_buyer and not may_move_units(new.step, new.step_by, kind, was, 'returned')
      then was || ' units may not be returned'
    when from_buyer > 0 and not may_move_units(new.step, new.step_by, kind, 'shipped', 'returned')
      then 'shipped units may not be returned'
    when was <> is_now and not may_move_units(new.step, new.step_by, kind, was, is_now)
      -- Shipping confirms.
      and not (shipped > 0 and is_now = 'confirmed')
      then was || ' units may not become ' || is_now
    when shipped > 0 and is_now <> 'confirmed'
      then 'what has shipped is confirmed'
    when old.declined_on is distinct from new.declined_on
      and (new.step is distinct from 'decline' or old.declined_on is not null)
      then 'the answer may not change'
    when new.step = 'decline' and cancelled > 0 and new.declined_on is null
      then 'a declined line says so'
    when new.step = 'cancel' and new.step_by = 'merchant' and cancelled > 0 and exists (
        select from order_line where order_uuid = old.order_uuid and fulfilled_quantity > 0)
      then 'part of the order has shipped'
  end;
  if broken is not null then
    raise exception 'order line %: % by %: %', old.uuid, coalesce(new.step, 'no step'),
      coalesce(new.step_by, 'nobody'), broken
      using errcode = 'check_violation', constraint = 'order_steps';
  end if;
  new.step := null;
  new.step_by := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_quote_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.status, new.status) in (
    ('requested', 'open'),
    ('requested', 'declined'),
    ('open', 'ordered')
  ) then
    return new;
  end if;
  raise exception 'quote %: % cannot become %', old.uuid, old.status, new.status
    using errcode = 'check_violation', constraint = 'quote_steps';
end $function$;

CREATE OR REPLACE FUNCTION public.guard_return_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.status, new.status) in (
    ('requested', 'approved'),
    ('requested', 'rejected'),
    ('approved', 'rejected'),
    ('approved', 'received')
  ) then
    return new;
  end if;
  raise exception 'return %: % cannot become %', old.uuid, old.status, new.status
    using errcode = 'check_violation', constraint = 'return_steps';
end $function$;

CREATE OR REPLACE FUNCTION public.held_before(stone bigint, holder uuid, began timestamp with time zone)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(max(held_seconds), 0) from hold_time
  where gem_id in (select offers_of(stone)) and merchant_uuid = holder
    and held_until > began - interval '24 hours'
$function$;

CREATE OR REPLACE FUNCTION public.letters_and_digits(text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((text COLLATE "C") !~ '[^0-9A-Z]'::text) THEN text WHEN (octet_length(text) = length(text)) THEN translate(upper((text COLLATE "C")), ' 	
!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~'::text, ''::text) ELSE regexp_replace(upper(text), '[^[:alnum:]]'::text, ''::text, 'g'::text) END;

CREATE OR REPLACE FUNCTION public.life_state(gem gem)
 RETURNS text
 LANGUAGE sql
AS $function$
  select case
    when gem.state = 'available' and gem.hold_expires_on > market_clock() then 'held'
    else gem.state
  end
$function$;

CREATE OR REPLACE FUNCTION public.log_changes(ids bigint[], skus text[], kinds text[])
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  last_before bigint;
  logged bigint;
  stones text[];
begin
  select last into last_before from change_clock for update;
  if exists (select from certificate_decision where decision = 'apart') then
    update gem set apart = true from certificate_decision as decided
    where gem.id = any(ids) and not gem.apart
      and decided.certificate = gem.certificate and decided.decision = 'apart';
  end if;
  select array_agg(several.certificate) into stones from (
    select offer.certificate from offer where offer.gem_id = any(ids)
    union
    -- One scan of the index with all certificates takes half the time of a scan for each.
    select gem.certificate from gem where not gem.apart and gem.certificate = any(array(
      select listed.certificate from gem as listed
      where listed.id = any(ids) and listed.certificate is not null and not listed.apart))
    group by gem.certificate having count(*) > 1
  ) as several;
  if stones is null then
    insert into change (sequence, gem_id, sku, kind)
    select last_before + row_number() over (order by n), gem_id, sku, kind
    from unnest(ids, skus, kinds) with ordinality as entry (gem_id, sku, kind, n)
    where kind is not null;
  else
    with touched as materialized (
      select distinct on (gem_id) gem_id, sku, kind, n
      from unnest(ids, skus, kinds) with ordinality as entry (gem_id, sku, kind, n)
      order by gem_id, n desc
    ), listed as (
      select id, sku, certificate, state, hold_expires_on, count(*) over stone as listings,
        max(case when state <> 'available' then state end) over stone as taken,
        row_number() over (partition by certificate
          order by state <> 'available', wholesale_price, created_on, id) as place,
        row_number() over (partition by certificate
          order by state <> 'available', wholesale_price_us, created_on, id) as place_us,
        first_value(hold_expires_on) over latest_hold as held_until,
        first_value(hold_merchant_uuid) over latest_hold as held_by
      from gem
      where certificate = any(stones) and not apart
        and (state in ('sold', 'memo') or (state = 'available' and quantity > 0))
      window stone as (partition by certificate),
        latest_hold as (partition by certificate order by hold_expires_on desc nulls last, id)
    ), present as materialized (
      select id as gem_id, sku, certificate, state, hold_expires_on, taken, held_until, held_by,
        taken is null and place = 1 as leads, taken is null and place_us = 1 as leads_us
      from listed
      -- What is sold keeps its row when the other offers go: it says who has seen the offer. So
      -- does one that merchants see only since then: it says since when.
      where listings > 1 or exists (
        select from offer where gem_id = listed.id
          and (taken is not null or not leads or not leads_us or shown_on is not null))
    ), past as materialized (
      select * from offer where certificate = any(stones)
    ), compared as materialized (
      select gem_id, present.certificate, present.held_until, present.held_by, present.taken,
        coalesce(present.sku, gem.sku, touched.sku) as sku, touched.kind, touched.n,
        coalesce(past.leads, known.was) as was, coalesce(past.leads_us, known.was) as was_us,
        coalesce(past.seen, known.was) as seen, coalesce(past.seen_us, known.was) as seen_us,
        past.shown_on,
        coalesce(past.on_memo or (past.leads and present.taken = 'memo'), present.state = 'memo')
          as on_memo,
        coalesce(past.on_memo_us or (past.leads_us and present.taken = 'memo'),
          present.state = 'memo') as on_memo_us,
        coalesce(present.leads, known.on_sale) as leads,
        coalesce(present.leads_us, known.on_sale) as leads_us,
        case when past.certificate is null then present.hold_expires_on else past.held_until end
          as held_before,
        case when present.certificate is null then gem.hold_expires_on else present.held_until end
          as held_now
      from present full join past using (gem_id)
      left join touched using (gem_id)
      -- Listings that were offers and are not any more; the others need not be read again.
      -- The limit makes it a search by index, however many the planner expects.
      left join lateral (
        select sku, state, quantity, hold_expires_on from gem
        where gem.id = case when present.certificate is null then past.gem_id end limit 1
      ) as gem on true
      cross join lateral (
        select on_sale, case when touched.kind in ('new', 'back') then false
          else touched.kind is not null or on_sale end as was
        from (select coalesce(present.state = 'available',
          gem.state = 'available' and gem.quantity > 0, false) as on_sale) as now
      ) as known
    ), removed as (
      delete from offer using compared
      where offer.gem_id = compared.gem_id and compared.certificate is null
    ), decided as (
      select gem_id, certificate, leads, leads_us, seen or leads as seen,
        seen_us or leads_us as seen_us, held_until, held_by,
        case when (leads and not was) or (leads_us and not was_us) then market_clock()
          else shown_on end as shown_on,
        not leads and on_memo as on_memo, not leads_us and on_memo_us as on_memo_us
      from compared where certificate is not null
      -- Most are as they were, and finding that out by a conflict would lock their rows.
      except select gem_id, certificate, leads, leads_us, seen, seen_us, held_until, held_by,
        shown_on, on_memo, on_memo_us from past
    ), written as (
      insert into offer
        (gem_id, certificate, leads, leads_us, seen, seen_us, held_until, held_by, shown_on,
          on_memo, on_memo_us)
      select * from decided
      on conflict (gem_id) do update set certificate = excluded.certificate,
        leads = excluded.leads, leads_us = excluded.leads_us,
        seen = excluded.seen, seen_us = excluded.seen_us,
        held_until = excluded.held_until, held_by = excluded.held_by,
        shown_on = excluded.shown_on,
        on_memo = excluded.on_memo, on_memo_us = excluded.on_memo_us
    ), told as (
      select gem_id, sku, n, own.kind, own.price_list
      from compared cross join lateral (
        -- Both lists show the same updated_on, so the other one hears of it, too.
        select case when leads and leads_us and (not was or not was_us) then 'details' end as moved
      ) as shown cross join lateral (
        select coalesce(
            offer_change(kind, was, leads, seen, taken, held_before, held_now), moved) as by_default,
          coalesce(offer_change(kind, was_us, leads_us, seen_us, taken, held_before, held_now), moved)
            as by_us
      ) as heard cross join lateral (
        select by_default, null where by_default = by_us
        union all
        select by_default, 'default' where by_default is distinct from by_us
        union all
        select by_us, 'us' where by_default is distinct from by_us
      ) as own (kind, price_list)
      where own.kind is not null
      union all
      select gem_id, sku, n, kind, null from touched
      where kind is not null and not exists (
        select from compared where compared.gem_id = touched.gem_id)
    )
    insert into change (sequence, gem_id, sku, kind, price_list)
    select last_before + row_number() over (order by n nulls last, gem_id, price_list),
      gem_id, sku, kind, price_list
    from told;
  end if;
  get diagnostics logged = row_count;
  if logged > 0 then
    update change_clock set last = last_before + logged;
    perform pg_notify('pavilion_change', (last_before + logged)::text);
  end if;
  return last_before + logged;
end $function$;

CREATE OR REPLACE FUNCTION public.log_conversions(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  last_before bigint;
  logged bigint;
begin
  select last into last_before from change_clock for update;
  with told as materialized (
    select offer.gem_id, gem.sku,
      case when not on_memo_us then 'default' when not on_memo then 'us' end as price_list
    from offer join gem on gem.id = offer.gem_id
    where (on_memo or on_memo_us)
      and offer.certificate in (select certificate from gem where id = any(ids))
  ), forgotten as (
    update offer set on_memo = false, on_memo_us = false from told where offer.gem_id = told.gem_id
  )
  insert into change (sequence, gem_id, sku, kind, price_list)
  select last_before + row_number() over (order by gem_id), gem_id, sku, 'sold', price_list
  from told;
  get diagnostics logged = row_count;
  if logged > 0 then
    update change_clock set last = last_before + logged;
    perform pg_notify('pavilion_change', (last_before + logged)::text);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.log_product_changes(products uuid[])
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  last_before bigint;
  logged bigint;
begin
  select last into last_before from change_clock for update;
  with present as materialized (
    select * from variants_shown(products)
  ), compared as materialized (
    select present.variant_id, present.sku, present.listed,
      past.variant_id is not null as is_known,
      present.quantity > 0 as on_sale, coalesce(past.quantity > 0, false) as was_on_sale,
      present.quantity > 0 and present.is_public as all_see,
      coalesce(past.quantity > 0 and past.is_public, false) as all_saw,
      case when present.quantity > 0 then present.merchants else '{}' end as some_see,
      case when past.quantity > 0 then past.merchants else '{}' end as some_saw,
      past.product_type as seen_type,
      nullif(past.product_type, present.product_type) as former_type,
      case
        when (past.wholesale_price, past.wholesale_price_us, past.retail_price) is distinct from
          (present.wholesale_price, present.wholesale_price_us, present.retail_price) then 'price'
        when past.media <> present.media then 'media'
        when (past.details, past.quantity, past.product_type) is distinct from
          (present.details, present.quantity, present.product_type) then 'details'
      end as kind
    from present left join shown_variant as past using (variant_id)
  ), written as (
    insert into shown_variant
    select * from present
    where is_public or merchants <> '{}'
      or exists (select from shown_variant where shown_variant.variant_id = present.variant_id)
    on conflict (variant_id) do update set sku = excluded.sku,
      product_type = excluded.product_type, listed = excluded.listed,
      quantity = excluded.quantity, wholesale_price = excluded.wholesale_price,
      wholesale_price_us = excluded.wholesale_price_us, retail_price = excluded.retail_price,
      media = excluded.media, details = excluded.details,
      is_public = excluded.is_public, merchants = excluded.merchants
    where shown_variant is distinct from excluded
  ), told as (
    -- No longer seen.
    select variant_id, sku, seen_type as former_type, 1 as step,
      case when not on_sale and listed then 'sold' else 'gone' end as kind,
      case when not all_saw then merchants_without(some_saw, some_see) end as merchants
    from compared
    where not all_see and (all_saw or merchants_without(some_saw, some_see) is not null)
    union all
    -- Seen now: back in stock, or new.
    select variant_id, sku, former_type, 2,
      case when is_known and not was_on_sale then 'back' else 'new' end,
      case when not all_see then merchants_without(some_see, some_saw) end
    from compared
    where not all_saw and (all_see or merchants_without(some_see, some_saw) is not null)
    union all
    -- Seen before and now.
    select variant_id, sku, former_type, 3, kind,
      case when not all_see then
        merchants_without(some_see, coalesce(merchants_without(some_see, some_saw), '{}')) end
    from compared
    where kind is not null and ((all_saw and all_see) or (not all_saw and not all_see
      and merchants_without(some_see, coalesce(merchants_without(some_see, some_saw), '{}'))
        is not null))
  )
  insert into change (sequence, variant_id, sku, kind, former_type, merchants)
  select last_before + row_number() over (order by sku, step), variant_id, sku, kind, former_type,
    merchants
  from told;
  get diagnostics logged = row_count;
  if logged > 0 then
    update change_clock set last = last_before + logged;
    perform pg_notify('pavilion_change', (last_before + logged)::text);
  end if;
  return last_before + logged;
end $function$;

CREATE OR REPLACE FUNCTION public.market_clock()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
RETURN (clock_timestamp() + market_offset());

CREATE OR REPLACE FUNCTION public.market_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (now() + market_offset());

CREATE OR REPLACE FUNCTION public.market_offset()
 RETURNS interval
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN '00:00:00'::interval;

CREATE OR REPLACE FUNCTION public.may_move_units(step text, role text, order_type text, came_from text, goes_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce((step, role, came_from, goes_to) in (
    ('confirm', 'supplier', 'unconfirmed', 'confirmed'),
    ('confirm', 'operator', 'unconfirmed', 'confirmed'),
    ('fulfill', 'supplier', 'unconfirmed', 'shipped'),
    ('fulfill', 'supplier', 'accepted', 'shipped'),
    ('fulfill', 'supplier', 'confirmed', 'shipped'),
    ('fulfill', 'operator', 'unconfirmed', 'shipped'),
    ('fulfill', 'operator', 'accepted', 'shipped'),
    ('fulfill', 'operator', 'confirmed', 'shipped'),
    ('cancel', 'merchant', 'unconfirmed', 'cancelled'),
    ('cancel', 'merchant', 'accepted', 'cancelled'),
    ('cancel', 'operator', 'unconfirmed', 'cancelled'),
    ('cancel', 'operator', 'accepted', 'cancelled'),
    ('cancel', 'operator', 'confirmed', 'cancelled'),
    ('decline', 'supplier', 'unconfirmed', 'cancelled'),
    ('decline', 'supplier', 'accepted', 'cancelled'),
    ('decline', 'operator', 'unconfirmed', 'cancelled'),
    ('decline', 'operator', 'accepted', 'cancelled'),
    ('return', 'operator', 'unconfirmed', 'returned'),
    ('return', 'operator', 'accepted', 'returned'),
    ('return', 'operator', 'confirmed', 'returned'),
    ('return', 'operator', 'shipped', 'returned'),
    ('receive_return', 'operator', 'shipped', 'returned')
  ), false) and (step <> 'return' or order_type = 'memo')
    and (step <> 'receive_return' or order_type = 'invoice')
$function$;

CREATE OR REPLACE FUNCTION public.memo_use(buyer uuid, OUT stones bigint, OUT value numeric)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(case when stock_kind = 'variant' then units else 1 end), 0),
    coalesce(sum(price * units), 0)
  from (
    select line.stock_kind, line.price,
      line.quantity - line.cancelled_quantity - line.returned_quantity as units
    from orders join order_line as line on line.order_uuid = orders.uuid
    where orders.merchant_uuid = buyer
      and orders.order_type = 'memo' and orders.order_status is null
      and line.product_type <> 'cert'
  ) as kept
  where units > 0
$function$;

CREATE OR REPLACE FUNCTION public.merchants_without(merchants uuid[], others uuid[])
 RETURNS uuid[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT array_agg(merchant.merchant ORDER BY merchant.merchant) AS array_agg FROM unnest(merchants_without.merchants) merchant(merchant) WHERE (merchant.merchant <> ALL (merchants_without.others)));

CREATE OR REPLACE FUNCTION public.notify_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record := coalesce(new, old);
begin
  if tg_table_name = 'token' then
    perform pg_notify('pavilion_access', 'token ' || changed.uuid);
  elsif tg_table_name = 'merchant' then
    perform pg_notify('pavilion_access', 'merchant ' || changed.uuid);
  else
    perform pg_notify('pavilion_access', 'merchant ' || changed.merchant_uuid);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_rates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('pavilion_access', 'rates');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('pavilion_access', 'user ' || old.uuid);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.number_changes(most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  entries change_queue[];
  stones integer;
  step record;
  last_before bigint;
begin
  -- What another has taken is visible here until its commit: then this waits for the clock below.
  -- By the index, because the table is full of rows that were removed and not vacuumed.
  perform from change_queue order by id limit 1;
  if not found then
    return 0;
  end if;
  -- A number that others have seen must not be lost with the server, whatever the caller's setting.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform from change_clock for update;
  with oldest as materialized (
    select id, entry_size(gem_ids) as size, sum(entry_size(gem_ids)) over (order by id) as so_far
    from (select id, gem_ids from change_queue order by id limit most) as entry
  ), next as (
    delete from change_queue
    where id = any(array(select id from oldest where so_far - size < most))
    returning *
  )
  select coalesce(array_agg(row(next.*)::change_queue order by id), '{}'),
    (select least(max(so_far), most) from oldest)
  into entries, stones from next;

  -- Nobody had an entry of these stones before, so they come first.
  for step in
    select gem_ids as ids, skus, array_fill('new'::text, array[cardinality(gem_ids)]) as kinds
    from unnest(entries) where gem_ids is not null order by id
  loop
    perform log_changes(step.ids, step.skus, step.kinds);
  end loop;

  -- Several entries of one stone are logged one after the other, in as many steps. Usually it is one.
  for step in
    select array_agg(gem_id order by id) filter (where changed) as ids,
      array_agg(sku order by id) filter (where changed) as skus,
      array_agg(kind order by id) filter (where changed) as kinds,
      array_agg(gem_id) filter (where former_type is not null) as moved,
      array_agg(former_type) filter (where former_type is not null) as former_types,
      array_agg(gem_id) filter (where not changed) as converted
    from (
      select *, kind is distinct from 'converted' as changed,
        row_number() over (partition by gem_id order by id) as turn
      from unnest(entries) where gem_id is not null
    ) as entry
    group by turn order by turn
  loop
    select last into last_before from change_clock;
    if step.ids is not null then
      perform log_changes(step.ids, step.skus, step.kinds);
    end if;
    if step.moved is not null then
      update change set former_type = entry.former_type
      from unnest(step.moved, step.former_types) as entry (gem_id, former_type)
      where sequence > last_before and change.gem_id = entry.gem_id;
    end if;
    if step.converted is not null then
      perform log_conversions(step.converted);
    end if;
  end loop;

  if exists (select from unnest(entries) where product_id is not null) then
    perform log_product_changes(array(
      select distinct product_id from unnest(entries) where product_id is not null));
  end if;

  if exists (select from unnest(entries) where kind = 'prices') then
    select last into last_before from change_clock;
    insert into change (sequence, merchant_uuid, kind)
    select last_before + row_number() over (order by id), merchant_uuid, 'prices'
    from unnest(entries) where kind = 'prices';
    update change_clock set last = (select max(sequence) from change);
    perform pg_notify('pavilion_change', last::text) from change_clock;
  end if;
  return coalesce(stones, 0);
end $function$;

CREATE OR REPLACE FUNCTION public.number_events(most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  last_before bigint;
  numbered integer;
begin
  if not exists (select from event where market_sequence is null) then
    return 0;
  end if;
  select last into last_before from market_event_clock for update;
  with next as materialized (
    select uuid, merchant_uuid, order_uuid, event_type, sequence,
      row_number() over (order by queued nulls first, created_on, uuid) as place
    from (
      select * from event where market_sequence is null
      order by queued nulls first, created_on, uuid limit most
    ) as waiting
  ), counted as (
    select merchant_uuid, count(*) as events from next
    where merchant_uuid is not null and sequence is null
    group by merchant_uuid
  ), clock as (
    insert into event_clock as clock (merchant_uuid, last)
    select merchant_uuid, events from counted order by merchant_uuid
    on conflict (merchant_uuid) do update set last = clock.last + excluded.last
    returning merchant_uuid, last
  ), own as materialized (
    select next.uuid, next.merchant_uuid, next.order_uuid, next.event_type,
      clock.last - counted.events
        + row_number() over (partition by next.merchant_uuid order by place) as sequence
    from next join counted using (merchant_uuid) join clock using (merchant_uuid)
    where next.sequence is null
  ), written as (
    update event set market_sequence = last_before + next.place,
      sequence = coalesce(event.sequence, own.sequence)
    from next left join own using (uuid)
    where event.uuid = next.uuid
  ), outbox as (
    insert into webhook_delivery (endpoint_uuid, event_uuid, order_uuid, sequence)
    select endpoint.uuid, own.uuid, own.order_uuid, own.sequence
    from own join webhook_endpoint as endpoint using (merchant_uuid)
    where endpoint.disabled_on is null
      and (endpoint.event_types is null or own.event_type = any(endpoint.event_types))
    -- An endpoint that is removed meanwhile is left out.
    for key share of endpoint
    returning 1
  ), told as (
    select pg_notify('pavilion_event', '') from outbox limit 1
  )
  -- Reading `told` is what sends the notification.
  update market_event_clock set last = last + (select count(*) from next)
  where (select count(*) from told) >= 0
  returning last - last_before into numbered;
  return numbered;
end $function$;

CREATE OR REPLACE FUNCTION public.number_log(most_changes integer, most_events integer, OUT more boolean, OUT last bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
begin
  perform follow_history();
  more := number_changes(most_changes) = most_changes;
  more := number_events(most_events) = most_events or more;
  perform number_products();
  -- A statement of its own sees what another process has numbered meanwhile.
  select clock.last into number_log.last from change_clock as clock;
end $function$;

CREATE OR REPLACE FUNCTION public.number_products()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  given bigint;
begin
  if not exists (select from product_queue) then
    return (select last from showroom_clock);
  end if;
  update showroom_clock set last = last + 1 returning last into given;
  with changed as (delete from product_queue returning product_id)
  insert into product_version (product_id, version)
  select product.id, given
  from product where id in (select product_id from changed)
  order by id
  on conflict (product_id) do update set version = excluded.version;
  return given;
end $function$;

CREATE OR REPLACE FUNCTION public.offer_change(kind text, was boolean, leads boolean, seen boolean, taken text, held_before timestamp with time zone, held_until timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((NOT was) AND (NOT leads)) THEN NULL::text WHEN (NOT was) THEN CASE WHEN (kind = ANY (ARRAY['new'::text, 'back'::text])) THEN kind WHEN seen THEN 'back'::text ELSE 'new'::text END WHEN (NOT leads) THEN CASE WHEN (kind = ANY (ARRAY['sold'::text, 'memo'::text, 'gone'::text])) THEN kind ELSE COALESCE(taken, 'gone'::text) END WHEN (kind IS NOT NULL) THEN kind WHEN (NOT (held_before IS DISTINCT FROM held_until)) THEN NULL::text WHEN (held_until IS NULL) THEN 'release'::text ELSE 'hold'::text END;

CREATE OR REPLACE FUNCTION public.offers_of(offer bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
AS $function$
  select offer
  union
  select other.id from gem join gem as other on other.certificate = gem.certificate
  where gem.id = offer and not gem.apart and not other.apart
$function$;

CREATE OR REPLACE FUNCTION public.record_price_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  changes integer;
begin
  select coalesce(max(n), 0) + 1 into changes from price_change where gem_id = old.id;
  insert into price_change (gem_id, n, wholesale_price_before, wholesale_price_us_before)
  values (old.id, changes, old.wholesale_price, old.wholesale_price_us);
  if changes > 100 then
    delete from price_change where gem_id = old.id and n <= changes - 100;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and old.at < market_now() - make_interval(
    days => nullif(current_setting('pavilion.audit_keep_days', true), '')::integer) then
    return old;
  end if;
  if tg_op = 'TRUNCATE' and current_setting('pavilion.market_reset', true) = 'on' then
    return null;
  end if;
  raise exception 'an entry of the audit is never changed or deleted';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_document_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.pdf is null and new.pdf is not null
    and (to_jsonb(old) - 'pdf') = (to_jsonb(new) - 'pdf') then
    return new;
  end if;
  raise exception 'an issued document is never changed or deleted';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an entry of the ledger is never changed or deleted; write another entry';
end $function$;

CREATE OR REPLACE FUNCTION public.server_history()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  if pg_is_in_recovery() then
    raise read_only_sql_transaction using message = 'this server is a standby';
  end if;
  return (select system_identifier from pg_control_system()) || '/' ||
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
exception
  when insufficient_privilege or feature_not_supported or undefined_function then
    return 'unknown';
end $function$;

CREATE OR REPLACE FUNCTION public.set_apart()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Most markets have no such decision, and the certificate need not be computed for it.
  new.apart := exists (select from certificate_decision where decision = 'apart') and exists (
    select from certificate_decision
    where decision = 'apart'
      and certificate = certificate_of(new.product_type, new.lab, new.lab_name, new.cert_num)
  );
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_parcel_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select coalesce(new.memo_days_to_return, memo_days_to_return),
    coalesce(new.days_to_return, days_to_return),
    coalesce(new.internal_days_to_return, internal_days_to_return),
    coalesce(new.delivery_days_min, least(delivery_days_min, new.delivery_days_max)),
    coalesce(new.delivery_days_max, greatest(delivery_days_max, new.delivery_days_min))
  into new.memo_days_to_return, new.days_to_return, new.internal_days_to_return,
    new.delivery_days_min, new.delivery_days_max
  from supplier where id = new.supplier_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.variants_shown(products uuid[])
 RETURNS SETOF shown_variant
 LANGUAGE sql
 STABLE
AS $function$
  with audience as (
    select asked.product_id, coalesce(bool_or(published and public), false) as is_public,
      coalesce(array_agg(distinct merchant_uuid order by merchant_uuid)
        filter (where merchant_uuid is not null), '{}') as merchants
    from (select distinct unnest(products) as product_id) as asked
    left join catalogue_product on catalogue_product.product_id = asked.product_id
    left join catalogue on catalogue.uuid = catalogue_product.catalogue_uuid
    left join catalogue_merchant on catalogue_merchant.catalogue_uuid = catalogue.uuid
    group by asked.product_id
  )
  select variant.id, variant.sku, product.type, variant.listed,
    case when variant.listed then variant.quantity else 0 end,
    variant.wholesale_price, variant.wholesale_price_us, variant.retail_price,
    md5(variant.media::text),
    md5(row(product.id, product.title, product.description, variant.variant_options::text,
      variant.filter_variant_options::text, variant.returnable, variant.delivery_days_min,
      variant.delivery_days_max, variant.created_on, variant.updated_on)::text),
    audience.is_public, audience.merchants
  from audience
  join product on product.id = audience.product_id
  join variant on variant.product_id = product.id
$function$;

CREATE OR REPLACE FUNCTION public.waiting_state(line order_line)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case coalesce(line.confirmed_by, '')
    when '' then 'unconfirmed' when 'placement' then 'accepted' else 'confirmed' end
$function$;
