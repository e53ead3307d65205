import type { OperatorMemo } from '../../api/operator/memos.ts'
import { t } from '../../language/language.ts'

export type Bucket = OperatorMemo['bucket']

const LABELS: Record<Bucket, string> = {
  current: t('Not due yet'),
  '1-30': t('1–30 days late'),
  '31-60': t('31–60 days late'),
  '61-90': t('61–90 days late'),
  'over 90': t('Over 90 days late'),
}

export const BUCKETS = Object.keys(LABELS) as Bucket[]

export function bucketLabel(bucket: Bucket): string {
  return LABELS[bucket]
}
