import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { CapAlert } from './message.ts'
import { capTime } from './message.ts'

/** Messages of each county's weather service in one year: event, headline, severity, and days before today. */
const demoFeeds: Readonly<
  Record<string, { code: string; county: string; office: string; messages: readonly DemoMessage[] }>
> = {
  maplegrove: {
    code: 'PAC041',
    county: 'Cumberland',
    office: 'NWS State College PA',
    messages: [
      ['Winter Storm Warning', 'Six to nine inches of snow from midnight', 'Severe', [318, 301, 287, 9]],
      ['Wind Advisory', 'Gusts of up to 50 miles an hour until evening', 'Moderate', [335, 262, 229, 181, 96, 33, 1]],
      ['Flood Watch', 'Creeks may leave their banks tonight', 'Severe', [244, 201, 172, 118, 0]],
      [
        'Severe Thunderstorm Warning',
        'A line of storms moves east at 40 miles an hour',
        'Severe',
        [158, 149, 131, 112],
      ],
      ['Heat Advisory', 'It feels like 102 degrees until Friday', 'Moderate', [140, 126, 119]],
      ['Special Weather Statement', 'Patches of fog until ten o’clock', 'Minor', [290, 210, 176, 84, 52, 20, 3]],
    ],
  },
  harborcity: {
    code: 'MEC005',
    county: 'Cumberland, coast',
    office: 'NWS Gray ME',
    messages: [
      ['Coastal Flood Warning', 'Three feet of water on low streets at high tide', 'Severe', [331, 304, 266, 24, 0]],
      ['Gale Warning', 'Winds of 40 knots in the harbor', 'Moderate', [340, 311, 274, 233, 190, 71, 13]],
      ['Blizzard Warning', 'No travel from noon: snow and wind', 'Extreme', [297, 281]],
      ['Dense Fog Advisory', 'Less than a quarter of a mile to be seen', 'Minor', [205, 167, 128, 99, 60, 2]],
      ['Small Craft Advisory', 'Seas of seven feet', 'Minor', [322, 250, 143, 88, 41]],
    ],
  },
}
type DemoMessage = readonly [
  event: string,
  headline: string,
  severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor',
  days: readonly number[],
]

const DAY_MS = 86_400_000

interface SourceTarget {
  company: CompanyId
  subdomain: string
  timeZone: string
  now: Date
}

/** Adds the feed of the weather service, with its messages of the last year. The demo never requests this feed. */
export async function addSources(tx: Tx, { company, subdomain, timeZone, now }: SourceTarget): Promise<void> {
  const feed = demoFeeds[subdomain]
  if (!feed) return
  const rows = feed.messages
    .flatMap(([event, headline, severity, days]) => days.map((day) => ({ event, headline, severity, day })))
    .toSorted((a, b) => b.day - a.day)
    .map(({ event, headline, severity, day }, index) => {
      const at = new Date(now.getTime() - day * DAY_MS - (index % 9) * 1_800_000 - 600_000)
      const status =
        severity === 'Minor' ? 'filtered_out' : day < 2 ? 'waiting' : index % 5 === 4 ? 'superseded' : 'dismissed'
      const cap: CapAlert = {
        ...{ identifier: `urn:oid:2.49.0.1.840.0.${company}.${index + 1}`, sender: 'w-nws.webmaster@noaa.example' },
        ...{ sent: capTime(at, timeZone), status: 'Actual', msgType: 'Alert', source: '', scope: 'Public' },
        ...{ restriction: '', addresses: '', codes: [], note: '', references: [], incidents: '' },
        infos: [
          {
            ...{
              language: 'en-US',
              categories: ['Met'],
              event,
              responseTypes: ['Prepare'],
              urgency: 'Expected',
              severity,
            },
            ...{ certainty: 'Likely', audience: '', eventCodes: [], effective: '', onset: '', senderName: feed.office },
            expires: capTime(new Date(at.getTime() + 2 * DAY_MS), timeZone),
            ...{ headline, description: `${feed.office}: ${headline}.`, instruction: 'Look again before you leave.' },
            ...{ web: '', contact: '', parameters: [], resources: [] },
            areas: [
              {
                ...{ areaDesc: feed.county, polygons: [], circles: [], altitude: null, ceiling: null },
                geocodes: [{ valueName: 'UGC', value: feed.code }],
              },
            ],
          },
        ],
      }
      return {
        ...{ identifier: cap.identifier, sender: cap.sender, message: cap, headline, severity, status },
        ...{ why: severity === 'Minor' ? 'minor' : '', at: at.toISOString() },
      }
    })
  await sql`
    WITH source AS (
      INSERT INTO alert_source (company_id, name, url, codes, min_severity, service_id, is_active, read_at)
      SELECT ${company}::int, ${feed.office}::text, ${`https://api.weather.gov/alerts/active.atom?zone=${feed.code}`}::text,
        ${feed.code}::text, 'Moderate', min(id), false, ${now}::timestamptz
      FROM alert_service WHERE company_id = ${company} RETURNING company_id, id
    ), taken AS (
      INSERT INTO alert_received (company_id, source_id, sender, identifier, message, headline, msg_type, severity, status, why, sent_at, received_at)
      SELECT s.company_id, s.id, r.sender, r.identifier, r.message, r.headline, 'Alert', r.severity, r.status, r.why, r.at,
        r.at + interval '40 seconds'
      FROM source s CROSS JOIN jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r (identifier text, sender text, message jsonb, headline text, severity text, status text, why text, at timestamptz)
      ORDER BY r.at RETURNING company_id, id, status, received_at
    ), admin AS (
      SELECT id, first_name || ' ' || last_name AS name FROM person WHERE company_id = ${company} AND role_id = 5 ORDER BY id LIMIT 1
    ), step AS (
      SELECT id, 1 AS seq, '' AS was, CASE status WHEN 'filtered_out' THEN status ELSE 'waiting' END AS will,
        CASE status WHEN 'filtered_out' THEN 'filter_out' ELSE 'receive' END AS event, received_at AS at FROM taken
      UNION ALL SELECT id, 2, 'waiting', status, CASE status WHEN 'superseded' THEN 'supersede' ELSE 'dismiss' END,
        received_at + interval '20 minutes' FROM taken WHERE status IN ('superseded', 'dismissed')
    )
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT ${company}::int, 'received_alert', s.id, s.seq, s.was, s.will, s.event, s.at,
      CASE s.event WHEN 'dismiss' THEN 'municipality' ELSE 'system' END, CASE s.event WHEN 'dismiss' THEN admin.id END,
      CASE s.event WHEN 'dismiss' THEN admin.name ELSE 'Alerts' END, ''
    FROM step s LEFT JOIN admin ON true`.execute(tx)
}
