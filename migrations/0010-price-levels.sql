-- A small feed's prices are held against the stones on sale, which need no second memory.
drop table price_level;
