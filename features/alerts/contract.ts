import * as z from 'zod/mini'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { endpoint, formCall } from '../../shared/endpoint.ts'
import { position } from '../../shared/places.ts'
import { kinds, type Severity } from './rules.ts'

/** Access options: public for the calls that read alerts, residents for the calls that make choices. */

const everybody = { audience: 'public' } as const
const resident = { audience: 'citizen' } as const

const alertText = z.object({ headline: z.string(), description: z.string(), instruction: z.string() })

const alertView = z.object({
  id: z.number(),
  number: z.string(),
  kind: z.enum(Object.keys(kinds) as (keyof typeof kinds)[]),
  /** Alert that this alert follows up. Null if this is a first alert. */
  aboutId: z.nullable(z.number()),
  service: z.string(),
  severity: z.string() as unknown as z.ZodMiniType<Severity, Severity>,
  hasEnded: z.boolean(),
  isCancelled: z.boolean(),
  content: z.object({ en: alertText, es: z.optional(alertText) }),
  areaText: z.string(),
  sentAt: z.string(),
  expiresAt: z.string(),
})
export type AlertView = z.output<typeof alertView>

export const publicAlerts = endpoint({
  path: 'return/alerts',
  summary: "Lists the company's active and past alerts, newest past alerts first",
  access: everybody,
  body: z.object({ before: z.optional(z.nullable(rowId)) }),
  response: z.object({ current: z.array(alertView), past: z.array(alertView), more: z.boolean() }),
})

export const publicAlert = endpoint({
  path: 'return/alert',
  summary: 'Returns an alert with its follow-ups and area',
  access: everybody,
  body: z.object({ alertId: rowId }),
  response: z.object({
    alert: alertView,
    followUps: z.array(alertView),
    outline: z.array(z.array(z.array(position))),
  }),
})

const choice = z.object({ serviceId: rowId, email: z.boolean(), text: z.boolean(), call: z.boolean() })

export const alertChoices = endpoint({
  path: 'return/alert/choices',
  summary: "Returns the caller's alert subscriptions, channels and language",
  access: resident,
  body: z.object({ companyId }),
  response: z.object({
    services: z.array(
      z.object({
        id: z.number(),
        type: z.int(),
        name: z.string(),
        email: z.boolean(),
        text: z.boolean(),
        call: z.boolean(),
      }),
    ),
    language: z.enum(['en', 'es']),
    email: z.string(),
    /** Reason that the channel does not reach the resident. Empty if it does. */
    emailOff: z.enum(['', 'off', 'unconfirmed']),
    textOff: z.enum(['', 'off', 'none', 'opted_out']),
    phone: z.string(),
    /** `none`: no phone is confirmed for calls. `never`: the company makes no calls. */
    callOff: z.enum(['', 'off', 'none', 'opted_out', 'never']),
    callPhone: z.string(),
    /**
     * Known addresses of the resident. They determine whether the resident gets alerts that cover only a part of the
     * municipality.
     */
    addresses: z.array(z.object({ text: z.string(), isListed: z.boolean() })),
  }),
})

export const saveAlertChoices = formCall({
  path: 'save/alert/choices',
  summary: "Saves the caller's alert subscriptions",
  access: resident,
  body: z.object({
    companyId,
    language: z.enum(['en', 'es']),
    choices: z.array(choice).check(z.maxLength(200, 'Choose up to 200 services.')),
  }),
})
