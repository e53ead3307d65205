import type { Overview } from '../../api/operator.ts'
import { t } from '../../language/language.ts'
import { count } from '../../lib/format.ts'
import { Empty } from '../../parts/feedback.tsx'

type Waiting = Overview['waiting']

interface Task {
  name: keyof Waiting
  label: string
  /** The page that lists what was counted. */
  href: string
  /** Whether it is late or broken already. */
  isLate?: true
}

const TASKS: readonly Task[] = [
  {
    name: 'orders_to_confirm',
    label: t('Orders that wait for a supplier'),
    href: '/operator/orders?unconfirmed=yes',
  },
  {
    name: 'orders_to_ship',
    label: t('Orders with something left to ship'),
    href: '/operator/orders?unshipped=yes',
  },
  {
    name: 'quotes_requested',
    label: t('Offers for a price to answer'),
    href: '/operator/quotes?status=requested',
  },
  {
    name: 'returns_requested',
    label: t('Returns to decide about'),
    href: '/operator/returns?status=requested',
  },
  {
    name: 'returns_to_receive',
    label: t('Returned goods to receive'),
    href: '/operator/returns?status=approved',
  },
  {
    name: 'quarantined_rows',
    label: t('Rows in quarantine'),
    href: '/operator/quarantine',
  },
  {
    name: 'conflicts',
    label: t('Certificates whose listings contradict each other'),
    href: '/operator/conflicts',
  },
  {
    name: 'failing_sources',
    label: t('Sources that fail'),
    href: '/operator/suppliers?attention=yes',
    isLate: true,
  },
  {
    name: 'overdue_memos',
    label: t('Overdue memos'),
    href: '/operator/orders?overdue=yes',
    isLate: true,
  },
  {
    name: 'overdue_invoices',
    label: t('Overdue invoices'),
    href: '/operator/orders?past_due=yes',
    isLate: true,
  },
]

/** What needs the operator now, each with the page on which it is done. */
export function WaitingList({ waiting }: { waiting: Waiting }) {
  const tasks = TASKS.filter(({ name }) => waiting[name] > 0)
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" class={tasks.length > 0 ? 'section-head' : 'visually-hidden'}>
        {t('What needs you now')}
      </h2>
      {tasks.length === 0 && (
        <Empty title={t('Nothing needs you now')}>
          <p>{t('Orders, quotes, returns and feeds that wait for you appear here.')}</p>
        </Empty>
      )}
      {tasks.length > 0 && (
        <ul class="waiting">
          {tasks.map(({ name, label, href, isLate }) => (
            <li key={name}>
              <a class={isLate && 'is-late'} href={href}>
                <b>{count(waiting[name])}</b>
                <span>{label}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
