import { sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { may } from '../../../shared/privileges.ts'
import { alerts, deliveries } from '../list.ts'

export const alertLists = implementList(alerts, {
  table: sql`found_alert`,
  joins: sql`JOIN alert_service v ON v.company_id = r.company_id AND v.id = r.service_id`,
  columns: {
    number: 'number',
    headline: 'headline',
    kind: 'kind',
    severity: 'severity',
    status: 'status',
    service: sql`v.name`,
    areaText: 'area_text',
    people: 'people',
    sentAt: 'sent_at',
    expiresAt: 'expires_at',
    createdAt: 'created_at',
  },
  search: sql`r.search_text`,
  unindexed: { all: 'A municipality has a few hundred alerts.' },
  row: () => ({ can: { view: true } }),
  exported: 'export.alerts',
})

export const deliveryLists = implementList(deliveries, {
  table: sql`alert_delivery`,
  joins: sql`JOIN alert a ON a.company_id = r.company_id AND a.id = r.alert_id`,
  columns: {
    at: 'at',
    alert: sql`a.number`,
    headline: sql`a.headline`,
    name: 'name',
    channel: 'channel',
    to: sql`masked_receiver(r.address)`,
    state: 'state',
    reason: sql`CASE r.state WHEN 'failed' THEN
        CASE r.reason WHEN 'no-answer' THEN 'unanswered' WHEN 'busy' THEN 'busy' WHEN 'expired' THEN 'expired' ELSE 'refused' END
      WHEN 'resting' THEN 'rests' WHEN 'unclear' THEN 'unclear'
      WHEN 'delivered' THEN CASE r.reason WHEN 'machine' THEN 'machine' WHEN 'pressed 9' THEN 'pressed' ELSE 'none' END
      WHEN 'stopped' THEN CASE r.reason WHEN 'same' THEN 'same' WHEN 'pressed 9' THEN 'pressed' ELSE 'stopped' END ELSE 'none' END`,
  },
  filters: { alertId: (id) => sql`r.alert_id = ${id}` },
  unindexed: {
    alertId: 'The date range limits the rows.',
    channel: 'The date range limits the deliveries, and each one in the range is checked.',
    state: 'The date range limits the rows.',
  },
  hidden: { until: sql`a.expires_at` },
  row: ({ channel, state }, { session, context }, { until }) => ({
    can: {
      // The portal does not resend an alert that has ended, so staff can't repeat its deliveries.
      repeat:
        channel !== 'email' &&
        state === 'unclear' &&
        (until as Date) > context.clock.now() &&
        session !== null &&
        may(session.privileges, 'alerts', 'update'),
    },
  }),
  exported: 'export.alert_deliveries',
})
