import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call, messageOf } from '../../../../web/call.ts'
import { useSession } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { followForm, followRequest } from '../../contract.ts'

interface Props {
  publicId: string
  number: string
  onFollowed?: () => void
}

/**
 * Button to follow another person's request. Residents follow immediately. Guests enter and confirm an email address.
 */
export function FollowButton({ publicId, number, onFollowed }: Props) {
  const session = useSession()
  const [isOpen, setIsOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [sentMessage, setSentMessage] = useState('')
  const [refusal, setRefusal] = useState('')
  const follow = async (email?: string) => {
    const { message } = await call(followRequest, { publicId, ...(email && { email }) })
    setSentMessage(message)
    onFollowed?.()
  }
  const submit = async () => {
    if (!session) return setIsOpen(true)
    setBusy(true)
    setRefusal('')
    try {
      await follow()
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setBusy(false)
  }
  if (sentMessage) return <Notice tone="success">{sentMessage}</Notice>
  return (
    <>
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      <div>
        <Button size="small" busy={busy} onClick={() => void submit()}>
          <Trans>
            Follow request <span className="spoken">{number}</span>
          </Trans>
        </Button>
      </div>
      {isOpen && <FollowByEmail number={number} onEmail={follow} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface FollowByEmailProps {
  number: string
  onEmail: (email: string) => Promise<void>
  onClose: () => void
}

function FollowByEmail({ number, onEmail, onClose }: FollowByEmailProps) {
  const { t } = useLingui()
  const form = useZodForm(followForm, { defaultValues: { email: '' }, draft: { name: 'request-follow' } })
  return (
    <FormDialog
      title={<Trans>Follow request {number}</Trans>}
      form={form}
      submit={<Trans>Follow request</Trans>}
      onSubmit={({ email }) => onEmail(email)}
      onClose={onClose}
    >
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="email"
        spellCheck={false}
        hint={t`We will email you a link to confirm, and then send updates on the request. You can unfollow at any time.`}
        {...form.field('email')}
      />
    </FormDialog>
  )
}
