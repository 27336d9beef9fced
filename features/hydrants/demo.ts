import { sql } from 'kysely'
import { randomFrom } from '../../database/random.ts'
import { loadCompanyDetails, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, addMonths, dateIn } from '../../shared/dates.ts'
import { addNotes } from './demo-notes.ts'
import { classOf, flowOf, usualSettings } from './rules.ts'
import { hydrantStates } from './states.ts'

/** Differences between the hydrants of the demo companies. */
const companyPlans: Readonly<
  Record<string, { prefix: string; count: number; makes: readonly string[]; mains: readonly number[]; crew: string }>
> = {
  maplegrove: {
    prefix: 'MG-',
    count: 240,
    makes: ['Mueller Super Centurion', 'Mueller Centurion', 'Kennedy Guardian'],
    mains: [6, 6, 8, 8, 12],
    crew: 'Maple Grove Engine 2',
  },
  harborcity: {
    prefix: 'H',
    count: 130,
    makes: ['Clow Medallion', 'American-Darling B-84-B', 'Waterous Pacer'],
    mains: [4, 6, 6, 8],
    crew: 'Harbor City Ladder 1',
  },
}

/** Addresses of houses, used as locations for hydrants. */
const HOUSES = sql`
  SELECT a.id, a.house_number || ' ' || s.name AS location, a.lat, a.lon, a.at, row_number() OVER (ORDER BY a.id) AS n, count(*) OVER () AS all
  FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id`

async function addHydrants({ clock, secrets }: Demo, tx: Tx, company: CompanyId, seed: number) {
  const companyInfo = await loadCompanyDetails(tx, company)
  const kind = companyPlans[companyInfo.subdomain]
  if (!kind) return
  const random = randomFrom(seed)
  const now = clock.now()
  const today = dateIn(companyInfo.timeZone, now)
  const rows = Array.from({ length: kind.count }, (_, n) => {
    const lastOn = addDays(today, -random.int(5, 420))
    const hasInspectionDate = random.chance(0.96)
    const service = random.weighted({ in_service: 0.95, out_of_service: 0.035, retired: 0.015 })
    const [make = '', ...model] = random.pick(kind.makes).split(' ')
    return {
      ...{ n: n + 1, number: `${kind.prefix}${String(n + 1).padStart(3, '0')}`, make, model: model.join(' ') },
      ...{ year: random.int(1968, 2024), size: random.pick([4.5, 5, 5.25]), main: random.pick(kind.mains), service },
      reason:
        service === 'in_service'
          ? ''
          : random.pick([
              'Stem broken, waiting for a part',
              'Hit by a truck',
              'Does not drain, would freeze',
              'Main is being replaced',
            ]),
      ...{
        last: hasInspectionDate ? lastOn : null,
        next: hasInspectionDate && service !== 'retired' ? addMonths(lastOn, 12) : null,
      },
      // Nine of ten hydrants were tested within the last five years.
      test: random.chance(0.9) ? testOf(random.int(3, 1800)) : null,
    }
  })
  function testOf(daysAgo: number) {
    const staticPsi = random.int(48, 92)
    const residualPsi = Math.max(12, staticPsi - random.int(10, 34))
    const outlets = Array.from({ length: random.weighted({ 1: 0.7, 2: 0.3 }) === '2' ? 2 : 1 }, () => ({
      ...{ diameterInches: 2.5, coefficient: random.pick([0.9, 0.9, 0.8]), pitotPsi: random.int(6, 34) },
    }))
    const flow = flowOf({ staticPsi, residualPsi, outlets })
    return { on: addDays(today, -daysAgo), staticPsi, residualPsi, outlets, ...flow, class: classOf(flow.availableGpm) }
  }
  await sql`
    WITH x AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(n int, number text, make text, model text, year int,
        size float8, main float8, service text, reason text, last date, next date, test jsonb)),
    house AS (${HOUSES} WHERE a.company_id = ${company}),
    made AS (
      INSERT INTO hydrant (company_id, number, make, model, made_year, size_inches, main_inches, location, lat, lon, at,
        service, service_reason, service_since, last_inspected_on, next_inspection_on, tested_on, available_gpm, flow_class)
      SELECT ${company}::int, x.number, x.make, x.model, x.year, x.size, x.main, coalesce(h.location, ''), h.lat, h.lon, h.at,
        x.service, x.reason, ${now}::timestamptz - x.n * interval '5 hours', x.last, x.next, (x.test ->> 'on')::date,
        (x.test ->> 'availableGpm')::int, x.test ->> 'class'
      FROM x LEFT JOIN house h ON h.n = 1 + (x.n - 1) * greatest(h.all / ${kind.count}, 1) ORDER BY x.n RETURNING company_id, id, number, service, service_reason, service_since),
    history AS (
      INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name, reason)
      SELECT m.company_id, ${hydrantStates.name}, m.id, s.seq, s.before, s.after, s.event, s.at, 'municipality', ${kind.crew}, s.reason
      FROM made m CROSS JOIN LATERAL (VALUES
        (1, '', 'in_service', 'add', m.service_since - interval '400 days', ''),
        (2, 'in_service', m.service, CASE m.service WHEN 'retired' THEN 'retire' ELSE 'take_out' END, m.service_since, m.service_reason)
      ) AS s(seq, before, after, event, at, reason) WHERE s.seq = 1 OR m.service <> 'in_service')
    INSERT INTO hydrant_flow_test (company_id, hydrant_id, tested_on, tested_by, static_psi, residual_psi, outlets, flow_gpm, available_gpm,
      flow_class, recorded_at)
    SELECT m.company_id, m.id, (x.test ->> 'on')::date, ${kind.crew}, (x.test ->> 'staticPsi')::float8, (x.test ->> 'residualPsi')::float8,
      x.test -> 'outlets', (x.test ->> 'flowGpm')::int, (x.test ->> 'availableGpm')::int, x.test ->> 'class',
      (x.test ->> 'on')::date + interval '16 hours'
    FROM made m JOIN x ON x.number = m.number WHERE x.test IS NOT NULL AND x.test <> 'null'::jsonb ORDER BY x.test ->> 'on'`.execute(
    tx,
  )
  await addNotes(tx, secrets, { company, today, crew: kind.crew, every: Math.max(3, Math.round(kind.count / 12)) })
  await tx
    .insertInto('hydrant_settings')
    .values({
      company_id: company,
      fire_emails: [`chief@fire.${companyInfo.subdomain}.example`],
      inspection_months: usualSettings.inspectionMonths,
      flow_test_years: usualSettings.flowTestYears,
    })
    .execute()
}

export const demo: DemoPart = {
  company: async (demoOf, demoCompany, { company }) =>
    tenancyOn(demoOf.db.app)(company, (tx) => addHydrants(demoOf, tx, company, demoCompany.seed + 61)),
}
