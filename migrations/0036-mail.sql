-- E-mails: written in the transaction of what they tell, sent by any node. See src/notices/outbox/.
-- What has to do with sending is timed by PostgreSQL's own clock, as for webhooks, and not by the
-- market's, which can be moved in a sandbox.
create table mail (
  uuid uuid primary key,
  kind text not null,
  recipient text not null,
  subject text not null check (subject !~ '[\n\r]'),
  -- Both bodies, or a sealed one for a mail with a link that signs somebody in.
  body_text text,
  body_html text,
  sealed_body text,
  -- What the mail's List-Unsubscribe field says; null for a mail that somebody asked for.
  unsubscribe_url text check (unsubscribe_url !~ '\s'),
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'expired')),
  attempts int not null default 0 check (attempts >= 0),
  -- When the next attempt is due; while an attempt runs, until when its node has the mail.
  due_on timestamptz not null,
  -- From when on it is tried; it is given up some days later.
  started_on timestamptz not null,
  -- From when on nobody needs it any more, such as one with a link that ends.
  useful_until timestamptz,
  sent_on timestamptz,
  last_status int,
  last_error text,
  created_on timestamptz not null default market_now(),
  constraint mail_has_a_body check (
    state <> 'pending' or sealed_body is not null
    or (body_text is not null and body_html is not null))
);
-- Serves the nodes' search for mails that are due.
create index mail_due on mail (due_on) where state = 'pending';
-- Serves the operator's list, newest first, and the removal of old mails.
create index mail_by_time on mail (created_on desc, uuid);
-- Serves the operator's list of mails that were given up, and their count.
create index mail_failed on mail (created_on desc, uuid) where state = 'failed';
