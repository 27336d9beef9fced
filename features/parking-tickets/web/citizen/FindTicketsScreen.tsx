import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { cartPath, useCartFromUrl } from '../../../../web/cart.ts'
import { usePath } from '../../../../web/routes.tsx'
import { screenAt } from '../../../../shared/screens.ts'
import { Card } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { SubmitButton } from '../../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { PrintedCodeField } from '../../../../web/ui/TextField.tsx'
import { findTickets, type TicketQuery, ticketQuery } from '../../contract.ts'
import { PlateFields } from '../PlateFields.tsx'
import { TicketCard } from './TicketCard.tsx'
import { useStepHeading } from '../../../../web/ui/step-heading.ts'

interface TicketResults extends ResponseOf<typeof findTickets> {
  query: TicketQuery
  /** Confirmation of the contest that was just sent. */
  message: string
}

/** Screen that finds parking tickets by citation number or plate, to view, pay or contest them. */
export default function FindTicketsScreen() {
  const { t } = useLingui()
  const paying = screenAt(usePath())?.path === '/parking-ticket-payment'
  const cart = useCartFromUrl()
  // Prefills the last search. After a payment or a reload, one click finds the ticket again.
  const form = useZodForm(ticketQuery, {
    defaultValues: { citation: '', plate: '', plateState: '' },
    draft: { name: 'parking-tickets' },
    plain: findTickets,
  })
  const [results, setResults] = useState<TicketResults | null>(() => {
    const response = form.plainResponse as ResponseOf<typeof findTickets> | null
    return response && { ...response, query: ticketQuery.parse(form.getValues()), message: '' }
  })
  const find = async (query: TicketQuery, message = '') => {
    setResults(null)
    setResults({ ...(await call(findTickets, query)), query, message })
  }
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={paying ? <Trans>Parking Ticket Payment</Trans> : <Trans>Parking Tickets</Trans>}>
        {cart === null ? (
          <Trans>See, pay or contest a ticket. No account or password needed.</Trans>
        ) : (
          <Trans>
            Find the other ticket that you want to pay, or{' '}
            <Link className="link" to={cartPath(cart)}>
              return to your payment
            </Link>
            .
          </Trans>
        )}
      </PageHead>
      <div className="grid items-start gap-8 lg:grid-cols-[26rem_1fr] lg:gap-12">
        <Card as="div">
          <Form form={form} keepDraft draftIsMarked onSubmit={(query) => find(query)}>
            <PrintedCodeField
              label={t`Citation number`}
              hint={t`Printed at the top of the ticket.`}
              {...form.field('citation')}
            />
            <PlateFields field={form.field} />
            <p className="text-muted text-sm">
              <Trans>
                Enter the citation number or the plate to find your ticket. Enter both to see its photos or to contest
                it.
              </Trans>
            </p>
            <SubmitButton form={form} busyLabel={<Trans>Looking for your ticket…</Trans>}>
              <Trans>Find tickets</Trans>
            </SubmitButton>
          </Form>
        </Card>
        {results && (
          <Results
            key={JSON.stringify(results.query) + results.message}
            results={results}
            onContested={(message) => find(results.query, message)}
          />
        )}
      </div>
    </Measure>
  )
}

/** Search results. Moves the focus to their heading, so that screen readers announce them. */
function Results({
  results,
  onContested,
}: {
  results: TicketResults
  onContested: (message: string) => Promise<void>
}) {
  const heading = useStepHeading()
  const { tickets, alternatives, query, message } = results
  return (
    <section aria-labelledby="results" className="flex min-w-0 flex-col gap-5">
      <h2 id="results" ref={heading} tabIndex={-1} className="text-h3">
        {tickets.length === 1 ? <Trans>Your ticket</Trans> : <Trans>{tickets.length} tickets</Trans>}
      </h2>
      {message && <Notice tone="success">{message}</Notice>}
      {tickets.map((ticket) => (
        <TicketCard
          key={ticket.citation}
          ticket={ticket}
          alternatives={alternatives}
          query={query}
          onContested={onContested}
        />
      ))}
    </section>
  )
}
