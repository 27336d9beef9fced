import { DEFAULT_BACKGROUND, DEFAULT_TEXT } from '../../../shared/theme.ts'
import { moduleUrls } from '../../../shared/modules.ts'
import { defaultServices } from '../../companies/rules.ts'
import type { ConfigOf } from '../rules.ts'

/** Returns the default settings of a new company (spec 9.1, 9.5). */
export const usualConfig = () => ({
  hours: { office_hours_open: '08:00', office_hours_closed: '16:30' } satisfies ConfigOf<'hours'>,
  modules: Object.fromEntries(moduleUrls.map((url) => [url, 1])),
  tiles: {
    tiles: defaultServices.map(({ name, description, icon, url }) => ({
      ...{ name, desc: description, active: 1 as const, route: url, image: icon, button_text: '' },
    })),
  } satisfies ConfigOf<'tiles'>,
  theme: { background_color: DEFAULT_BACKGROUND, text_color: DEFAULT_TEXT },
  payments: {
    ...{ min_payment: 500, max_payment: 150_000, is_pay_in_full: 0 },
    ...{ autopay_enabled: 1, ivr_user_pin_enabled: 1 },
    ...{ has_card_reader: 0, has_tele_check: 0, only_usd_currency: 1, receive_payment_emails: 1 },
    ...{ guest_proof: 'none', refund_limit: 25_000 },
    autopay_notice_days: 7,
  } satisfies Partial<ConfigOf<'payments'>>,
  alerts: { alerts: [], essentials: [], others: [] } satisfies ConfigOf<'alerts'>,
  texts: { texts_payments: 1, texts_conversations: 1, quiet_from: '21:00', quiet_to: '08:00' },
})
