-- Feeds say whether media of a stone were requested, so the journal of imports keeps it.
alter table import_before add column media_requested boolean not null default false;
-- No import before this one changed it: undoing such an import leaves it as it is. Where the
-- operator has set it, the feed's value is beneath.
update import_before b set media_requested = case
    when g.overrides ? 'media_requested'
    then coalesce((g.feed_values->>'media_requested')::boolean, false)
    else g.media_requested end
from gem g where g.id = b.gem_id and g.media_requested;
