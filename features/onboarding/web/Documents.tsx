import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { sizeLabel } from '../../../shared/file-types.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { FileUpload } from '../../../web/ui/FileUpload.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { downloadDocument, transitionDocument, onboardingFiles, sendDocument } from '../contract.ts'
import { type DocumentKind, documentKinds, documentNames } from '../rules.ts'
import { documentStates } from '../states.ts'
import { reloadOnboardings } from './fresh.ts'
import type { Onboarding, OnboardingOwner } from './of.ts'
import { Code } from '../../../web/ui/Text.tsx'

/** Documents that the company sends to the platform, and the platform's decisions. */
export function Documents({ of, owner }: { of: Onboarding; owner: OnboardingOwner }) {
  const { documents, can, missingDocuments } = of
  if (documents.length === 0 && !can.send) return null
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Documents</Trans>
      </h3>
      <ul>
        {documents.map((one) => (
          <DocumentItem key={one.id} of={one} owner={owner} />
        ))}
      </ul>
      {/* The key changes when a document is sent, so the form is empty for the next document. */}
      {can.send && (
        <Send key={documents.map(({ id }) => id).join()} id={of.id} wanted={missingDocuments} owner={owner} />
      )}
    </section>
  )
}

function DocumentItem({ of, owner }: { of: Onboarding['documents'][number]; owner: OnboardingOwner }) {
  const { t } = useLingui()
  const { id, kind, name, status, reason, sentAt, can } = of
  const get = () =>
    download(downloadDocument, { ...owner, id }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
  return (
    <li className="border-line border-b py-3 last:border-b-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
          <strong>{translated(documentKinds[kind])}</strong>
          <span className="block text-muted text-sm">
            <Code>{name}</Code>, <Trans>uploaded {shortInstant(sentAt)}</Trans>
          </span>
          {status === 'replacement_needed' && reason && <p className="text-sm">{reason}</p>}
        </div>
        <StateBadge of={documentStates} state={status} />
      </div>
      <Button
        size="small"
        className="mt-2"
        icon={Download}
        aria-label={t`Open ${translated(documentKinds[kind])}`}
        onClick={() => void get()}
      >
        <Trans>Open</Trans>
      </Button>
      <MoveButtons
        of={documentStates}
        can={can as never}
        dialog={{
          draft: `onboarding-document-${id}`,
          text: () => <Trans>The municipality can read this reason.</Trans>,
          hint: t`Describe the problem.`,
        }}
        onPress={async (event, why) => {
          toast((await call(transitionDocument, { ...owner, id, event, ...(why && { reason: why }) })).message)
          await reloadOnboardings()
        }}
      />
    </li>
  )
}

function Send({ id, wanted, owner }: { id: number; wanted: readonly DocumentKind[]; owner: OnboardingOwner }) {
  const { t } = useLingui()
  const [kind, setKind] = useState<string>(wanted[0] ?? '')
  const [isOpen, setOpen] = useState(wanted.length > 0)
  if (!isOpen)
    return (
      <Button size="small" className="mt-3" icon={Upload} onClick={() => setOpen(true)}>
        <Trans>Upload document</Trans>
      </Button>
    )
  const options = documentNames.map((value) => ({ value, label: translated(documentKinds[value]) }))
  return (
    <div className="mt-3 flex flex-col gap-4">
      <Select
        label={t`Document type`}
        placeholder={t`Choose one`}
        options={options}
        value={kind}
        onChange={({ target }) => setKind(target.value)}
      />
      {kind !== '' && (
        <FileUpload
          key={kind}
          label={t`Document`}
          low
          takes={sendDocument}
          by={onboardingFiles}
          fields={{
            id: String(id),
            kind,
            ...(owner.companyId !== undefined && { companyId: String(owner.companyId) }),
          }}
          hint={<Trans>PDF, JPG or PNG, up to {sizeLabel(onboardingFiles.maxBytes)}.</Trans>}
          onChange={(files) => files.length > 0 && void reloadOnboardings()}
        />
      )}
    </div>
  )
}
