-- Secrets are stored encrypted, with a key that is not in the database: docs/secrets.md.

-- The key that new secrets are encrypted with; null before the first. Every sealed value names its
-- own key, so a rotation replaces the key here first and encrypts what is stored afterwards. A
-- transaction that stores a secret locks the row, so none uses a key that was just replaced.
create table secret_key (
  only_row boolean primary key default true check (only_row),
  key_id text check (key_id ~ '^[0-9a-f]{16}$'),
  used_since timestamptz not null default market_now()
);
insert into secret_key default values;

-- webhook_endpoint.secret and earlier_secret are sealed from now on. The next start, which has the
-- key, encrypts those that an earlier version has stored in clear text.
