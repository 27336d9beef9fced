import * as z from 'zod/mini'
import { endpoint } from '../../shared/endpoint.ts'

/**
 * Path of the alerts page, to which the banner links. This file is separate, because every resident page loads the
 * banner.
 */
export const BANNER_LEADS_TO = '/alerts'

/** Time between two checks for alerts, in milliseconds. An alert must appear on each open page within ten seconds. */
export const ALERTS_POLL_MS = 8000

export const currentAlerts = endpoint({
  path: 'return/current/alerts',
  whenOff: 'finish',
  summary: 'Returns the active alerts for the banner, most severe first',
  access: { audience: 'public' },
  body: z.object({}),
  response: z.object({
    alerts: z.array(
      z.object({
        id: z.number(),
        severity: z.string(),
        headline: z.string(),
        headlineEs: z.string(),
        sentAt: z.string(),
      }),
    ),
    /** Other notices to show in the banner. */
    notices: z.array(z.object({ text: z.string(), label: z.string(), path: z.string() })),
  }),
})
