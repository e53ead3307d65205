-- What a supplier sells, if it has said so. Null: the signs in its file decide for every stone.
alter table supplier add column stone_type text
  constraint stone_type_is_known check (stone_type in ('mined', 'lab grown', 'both'));

-- What was understood of the supplier's last file: columns, price meaning, discount style, shape
-- codes, number style and currency. The next file is read the same way, or refused if it cannot be.
alter table supplier add column reading jsonb;

-- The reading before an import, which undoing the import restores.
alter table import add column reading_before jsonb;
