-- Serves the loading of the gemstone index and the preview of gemstone margins: gemstones are a few
-- thousand among a million diamonds.
create index gem_gemstones on gem (id) where product_type = 'gemstone';
