import type { Address } from '../../merchants/address-store.ts'
import type { Template } from '../../merchants/template-store.ts'
import type { Margin } from '../../pricing/margin.ts'

/** Rows of settings as both versions of the interface show them. */
export function renderMargin(margin: Margin) {
  return {
    uuid: margin.uuid,
    merchant_uuid: margin.merchant_uuid,
    lab_percent: Number(margin.lab_percent),
    mined_percent: Number(margin.mined_percent),
    weight_min: Number(margin.weight_min),
    weight_max: Number(margin.weight_max),
    price_min: Number(margin.price_min),
    price_max: Number(margin.price_max),
    weight_or_price: margin.weight_or_price,
  }
}

export function renderAddress({ created_on: _created, ...address }: Address) {
  return address
}

export function renderTemplate(template: Template) {
  const { uuid, merchant_uuid, group, position, label, color, clarity, grade_name, order } =
    template
  return { uuid, merchant_uuid, group, position, label, color, clarity, grade_name, order }
}
