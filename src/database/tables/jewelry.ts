import type { Generated } from 'kysely'
import type { Json, JsonOrNull, JsonWithDefault, Numeric, Timestamp } from './columns.ts'

/** The tables of jewelry and watches; see migrations/0004-jewelry.sql. */
export interface JewelryTables {
  product: ProductTable
  variant: VariantTable
  catalogue: CatalogueTable
  catalogue_product: {
    catalogue_uuid: string
    product_id: string
    added_on: Generated<Timestamp>
  }
  catalogue_merchant: {
    catalogue_uuid: string
    merchant_uuid: string
    shared_on: Generated<Timestamp>
  }
  showroom_clock: { only_row: Generated<boolean>; last: number }
  product_version: { product_id: string; version: number }
  jewelry_import: JewelryImportTable
  jewelry_import_row: {
    import_uuid: string
    variant_id: string
    before: Json<unknown>
    quantity_after: number
  }
}

export type ProductType = 'jewelry' | 'watch'
/** `{"metal": "18k yellow gold", "size": "6.5"}`. */
export type VariantOptions = Record<string, string>
/** `{"metal": "18k yellow gold", "stone": ["diamond", "sapphire"]}`. */
export type FilterOptions = Record<string, string | string[]>

export interface Medium {
  kind: 'image' | 'video'
  url: string
}

export interface ProductTable {
  id: string
  supplier_id: number
  vendor_sku: string
  type: ProductType
  title: string
  description: Generated<string>
  created_on: Generated<Timestamp>
  updated_on: Generated<Timestamp>
}

export interface VariantTable {
  id: string
  product_id: string
  supplier_id: number
  sku: string
  vendor_sku: string
  position: Generated<number>
  variant_options: JsonWithDefault<VariantOptions>
  filter_variant_options: JsonWithDefault<FilterOptions>
  cost: Numeric
  wholesale_price: Numeric
  wholesale_price_us: Numeric
  retail_price: Numeric
  listed: Generated<boolean>
  quantity: Generated<number>
  feed_quantity: number | null
  returnable: Generated<boolean>
  days_to_return: number | null
  memo: Generated<boolean>
  memo_days_to_return: number | null
  delivery_days_min: number | null
  delivery_days_max: number | null
  media: JsonWithDefault<Medium[]>
  country_code: string | null
  details: JsonWithDefault<Record<string, string>>
  created_on: Generated<Timestamp>
  updated_on: Generated<Timestamp>
}

export interface CatalogueTable {
  uuid: string
  name: string
  published: Generated<boolean>
  public: Generated<boolean>
  /** When it last became published and public. */
  opened_on: Generated<Timestamp>
  created_on: Generated<Timestamp>
  updated_on: Generated<Timestamp>
}

interface JewelryImportTable {
  uuid: string
  supplier_id: number
  mode: 'update' | 'replace'
  file_name: Generated<string>
  report: Json<unknown>
  created_on: Generated<Timestamp>
  undone_on: Timestamp | null
  failure: string | null
  rejected_rows: JsonOrNull<unknown>
}
