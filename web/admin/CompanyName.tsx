import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../query.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { say } from '../../shared/messages.ts'

interface Props {
  companyId: number
  /** Loads the company's details. Passed as a parameter, because `web` does not depend on features. */
  load: (signal: AbortSignal) => Promise<{ companyDetails: readonly { name: string }[] }>
}

/** Name of the company that a screen shows, or a fallback text (spec 8.2). */
export function CompanyName({ companyId, load }: Props) {
  const { t } = useLingui()
  const [seen, setSeen] = useState<Error | null>(null)
  const { data, error } = useQuery(
    {
      queryKey: ['company name', companyId],
      queryFn: async ({ signal }) => {
        const [details] = (await load(signal)).companyDetails
        if (!details) throw new Error(t`Invalid response from server`)
        return details
      },
    },
    queries,
  )
  const name = data ? data.name || t`Unknown Company` : error ? t`Error Loading Company` : t`Loading...`
  const message = error && (error.message || t`An error occurred`)
  return (
    <>
      <strong className="text-ink text-lg">{name}</strong>
      {error && error !== seen && message && !message.includes(say`No company ID found`) && (
        <Dialog
          title={<Trans>Error</Trans>}
          onClose={() => setSeen(error)}
          actions={
            <Button variant="primary" onClick={() => setSeen(error)}>
              <Trans>Close</Trans>
            </Button>
          }
        >
          <p>{message}</p>
        </Dialog>
      )}
    </>
  )
}
