import type { ColumnType, Generated } from 'kysely'

/** A timestamp as PostgreSQL prints it in UTC: `2026-01-31 09:15:00.123456+00`. */
export type Timestamp = string
/** Exact decimal digits: written as a number or a string, read as a string. */
export type Numeric = ColumnType<string, string | number, string | number>
export type NumericWithDefault = ColumnType<string, string | number | undefined, string | number>
export type NumericOrNull = ColumnType<
  string | null,
  string | number | null,
  string | number | null
>
/** A column that the database fills in when an insert leaves it out. */
export type WithDefault<T> = Generated<T>
/** A secret, encrypted by database/secrets/secrets.ts; clear text does not compile. */
export type Sealed = string & { readonly isSealed: true }
/** Read as a value, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
