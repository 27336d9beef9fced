import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { historyOf, actorOf } from '../../../server/states.ts'
import { dateIn } from '../../../shared/dates.ts'
import { csvLabels } from '../../../server/csv.ts'
import { type EventOf, eventsFrom, type EdgeActor } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { allPayables, payableOf, automaticPayments } from '../../payments/api.ts'
import { arrangementOf, myArrangements, returnArrangement } from '../contract.ts'
import { arrangementList } from '../list.ts'
import { arrangementStates, type ArrangementState } from '../states.ts'
import { findOne, type ArrangementWithSchedule, openOn, paidOf, statusOn } from './arrangements.ts'
import { rulesOf, currentTerms } from './settings.ts'

const todayOf = (call: Call) => dateIn(call.company.timeZone, call.context.clock.now())

function viewOf(row: ArrangementWithSchedule, today: string, actor: EdgeActor) {
  const { open, next, remainingCents, overdueCents } = statusOn(row, today)
  const isOpen = row.state === 'active' || row.state === 'defaulted'
  const events: readonly string[] = eventsFrom(arrangementStates, row.state, actor)
  const can = (event: EventOf<typeof arrangementStates>) => events.includes(event)
  return {
    id: row.id,
    kind: row.kind,
    payableId: row.payable_id,
    reference: row.reference,
    name: row.payer_name,
    state: row.state,
    totalCents: row.total_cents,
    paidCents: row.paid_cents,
    remainingCents,
    overdueCents: isOpen ? overdueCents : 0,
    graceDays: row.grace_days,
    installments: open,
    next: isOpen ? next : null,
    madeBy: row.made_by,
    madeAt: row.made_at.toISOString(),
    can: { agree: can('agree'), sign: can('sign'), decline: can('decline'), end: can('end') },
  }
}

export const myArrangementsCall = implement(myArrangements, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const { personId } = signedIn(call)
    const rules = await rulesOf(tx, company.id)
    const today = todayOf(call)
    const items = []
    for (const payable of allPayables())
      for (const { id, reference, title } of (await payable.recurs?.listLinked(tx, company.id, personId)) ?? []) {
        const { owedCents, pendingCents } = await payable.owed(tx, company.id, id)
        const row = await openOn(tx, company.id, payable.kind, id)
        const owed = owedCents - pendingCents
        const canRequest = !row && rules.byResidents && owed >= Math.max(2, rules.minCents)
        const plan = row && viewOf(row, today, actorOf(call))
        const autopay = (await automaticPayments()?.isOn(tx, company.id, payable.kind, id)) ?? false
        items.push({
          kind: payable.kind,
          id,
          reference,
          title,
          owedCents: owed,
          plan,
          autopay,
          can: { canRequest },
        })
      }
    return { today, limits: rules, currentTerms: await currentTerms(tx, company, rules), items }
  }),
)

export const arrangementOfCall = implement(arrangementOf, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const payable = allPayables().find(({ kind }) => kind === body.kind)
    if (!payable || !(await exists(tx, call))) throw notFound('This account was not found.')
    const [row, { owedCents, pendingCents }, { reference, payerName }] = await Promise.all([
      openOn(tx, company.id, body.kind, body.itemId),
      payable.owed(tx, company.id, body.itemId),
      payable.describe(tx, company.id, body.itemId),
    ])
    const entitled = actorOf(call).as === 'staff' && may(signedIn(call).privileges, 'payments', 'update')
    const owed = owedCents - pendingCents
    return {
      today: todayOf(call),
      plan: row && viewOf(row, todayOf(call), actorOf(call)),
      reference,
      name: payerName,
      owedCents: owed,
      can: { propose: entitled && !row && owed > 1 },
    }
  }),
)

/** Checks that the open item exists. If it is missing, `describe` fails. */
const exists = (
  tx: Parameters<Parameters<Call['reading']>[0]>[0],
  { company, body }: Call<{ kind: string; itemId: number }>,
) =>
  payableOf(body.kind)
    .describe(tx, company.id, body.itemId)
    .then(() => true)

export const arrangementCall = implement(returnArrangement, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const row = await findOne(tx, company.id, body.id)
    const text = await tx
      .selectFrom('arrangement_terms')
      .select('text')
      .where('company_id', '=', company.id)
      .where('version', '=', row.agreed_version ?? 0)
      .executeTakeFirst()
    const history = await historyOf(tx, arrangementStates, company.id, row.id).execute()
    return {
      plan: viewOf(row, todayOf(call), actorOf(call)),
      agreed:
        row.agreed_at === null || row.agreed_version === null
          ? null
          : {
              at: row.agreed_at.toISOString(),
              by: row.agreed_by,
              address: row.agreed_address,
              device: row.agreed_device,
              version: row.agreed_version,
              text: text?.text ?? '',
            },
      history: history.map((step) => ({
        at: step.at.toISOString(),
        by: step.actor_name,
        state: step.to_state as ArrangementState,
        reason: step.reason,
      })),
    }
  }),
)

export const arrangementListCalls = implementList(arrangementList, {
  table: sql`found_arrangement`,
  joins: () => sql`
    LEFT JOIN LATERAL (SELECT ${paidOf()} AS cents FROM (SELECT r.*) AS a) AS paid ON true
    LEFT JOIN LATERAL (SELECT i.due_on, least(i.cents, i.so_far - paid.cents)::bigint AS cents FROM (
        SELECT due_on, cents, no, sum(cents) OVER (ORDER BY no) AS so_far FROM arrangement_installment i
        WHERE i.company_id = r.company_id AND i.arrangement_id = r.id) i
      WHERE r.state IN ('active', 'defaulted') AND i.so_far > paid.cents ORDER BY i.no LIMIT 1) AS next ON true`,
  columns: {
    reference: 'reference',
    name: 'payer_name',
    status: sql`r.state`,
    totalCents: 'total_cents',
    paidCents: sql`paid.cents`,
    nextOn: sql`next.due_on`,
    nextCents: sql`next.cents`,
    madeAt: 'made_at',
    madeBy: 'made_by',
    kind: 'kind',
    payableId: 'payable_id',
  },
  csv: { status: csvLabels('r.state', arrangementStates.labels) },
  filters: { status: (status) => sql`r.state = ${status}` },
  search: (text) => matchesSearch(sql`r.search_text`, text),
  row: () => ({ can: { view: true } }),
  exported: 'export.arrangements',
})
