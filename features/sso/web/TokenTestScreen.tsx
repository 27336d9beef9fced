import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { may, useSession } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { TextArea } from '../../../web/ui/TextField.tsx'
import { decodeToken, describeSession, tokenForm } from '../contract.ts'
import { Text } from '../../../web/ui/Text.tsx'

type DecodeTokenResponse = ResponseOf<typeof decodeToken>

/** Shows the caller's session and the content of a pasted token (spec 2.2). Stores nothing. */
export default function TokenTestScreen() {
  // Renders this screen again when another person signs in.
  useSession()
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Token Test</Trans>}>
        <Trans>
          Shows your current session and the content of a signed token. We do not save the token that you paste.
        </Trans>
      </PageHead>
      {may('login_logout', 'update') ? (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <PastedToken />
          <OwnSession />
        </div>
      ) : (
        <Notice title={<Trans>You do not have access to this page</Trans>}>
          <Trans>Only staff who manage sign-in can use this page. If you need access, ask your administrator.</Trans>
        </Notice>
      )}
    </Measure>
  )
}

function OwnSession() {
  const response = useResponse(describeSession, {})
  return (
    <Panel id="own-session" title={<Trans>Your session</Trans>}>
      <ResponseView response={response} shape="lines" loading={<Trans>Loading your session</Trans>}>
        {(data) => (
          <>
            <DetailList
              details={[
                [<Trans key="who">Person</Trans>, `${data.person}, ${data.email}`],
                [<Trans key="kind">Kind</Trans>, `${data.kind}, role ${data.roleId}`],
                [<Trans key="began">Started</Trans>, shortInstant(data.began)],
                [<Trans key="seen">Last seen</Trans>, shortInstant(data.seen)],
                [<Trans key="ends">Expires</Trans>, shortInstant(data.expires)],
                [<Trans key="device">Browser</Trans>, data.device || '–'],
              ]}
            />
            <h3 className="mt-5 mb-2 text-base">
              <Trans>Privileges and permission masks</Trans>
            </h3>
            <ul className="flex flex-wrap gap-2">
              {data.privileges.map(({ policy, mask }) => (
                <li key={policy} className="rounded-sm border border-line px-2 py-1 text-sm">
                  <Text>{policy}</Text> <strong>{mask}</strong>
                </li>
              ))}
            </ul>
          </>
        )}
      </ResponseView>
    </Panel>
  )
}

function PastedToken() {
  const { t } = useLingui()
  const [decoded, setDecoded] = useState<DecodeTokenResponse | null>(null)
  // A valid token is secret, so the form does not save a draft.
  const form = useZodForm(tokenForm, { defaultValues: { token: '' } })
  const decode = async (values: { token: string }) => {
    setDecoded(null)
    setDecoded(await call(decodeToken, values))
  }
  return (
    <Panel id="pasted-token" title={<Trans>Token check</Trans>}>
      <Form form={form} onSubmit={decode}>
        <TextArea
          label={t`Token`}
          hint={t`A token has three parts separated by dots. We check it with the keys that this municipality trusts.`}
          rows={6}
          spellCheck={false}
          autoComplete="off"
          {...form.field('token')}
        />
        <Button
          type="submit"
          variant="primary"
          busy={form.formState.isSubmitting}
          busyLabel={<Trans>Checking...</Trans>}
        >
          <Trans>Decode and check token</Trans>
        </Button>
      </Form>
      {decoded && <Checked {...decoded} />}
    </Panel>
  )
}

function Checked({ header, claims, checks }: DecodeTokenResponse) {
  const { t } = useLingui()
  const failed = checks.filter(({ passed }) => !passed).length
  return (
    <div role="status" className="mt-6 flex flex-col gap-5">
      <Notice
        tone={failed === 0 ? 'success' : 'danger'}
        title={failed === 0 ? <Trans>All checks passed</Trans> : <Trans>This token would be rejected</Trans>}
      />
      <ul className="flex flex-col gap-3">
        {checks.map(({ name, passed, why }) => (
          <li key={name} className="flex gap-3">
            {passed ? (
              <CircleCheck size={20} aria-label={t`passed`} className="mt-0.5 shrink-0 text-success" />
            ) : (
              <CircleX size={20} aria-label={t`failed`} className="mt-0.5 shrink-0 text-danger" />
            )}
            <div className="min-w-0 wrap-anywhere">
              <strong>{name}</strong>
              <p className="text-muted">{why}</p>
            </div>
          </li>
        ))}
      </ul>
      <Json title={t`Header`} text={header} />
      <Json title={t`Claims`} text={claims} />
    </div>
  )
}

const Json = ({ title, text }: { title: string; text: string }) => (
  <div>
    <h3 className="mb-2 text-base">{title}</h3>
    <pre className="rounded-sm border border-line bg-tint p-3 text-sm whitespace-pre-wrap wrap-anywhere">{text}</pre>
  </div>
)
