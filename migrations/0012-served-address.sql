-- Where the market is served, as its last start said: a command beside a running server, which may
-- have been told another port than the command, prints links that work.
create table served_address (
  only_row boolean primary key default true check (only_row),
  url text not null
);
