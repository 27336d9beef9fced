import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Definition } from '../../../shared/fields/definition.ts'
import { ResponseView, type ResponseViewProps } from '../../ui/ResponseView.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/Page.tsx'
import Builder from './Builder.tsx'
import { Text } from '../../ui/Text.tsx'

/** Response of every call that shows the field definition of a record. */
interface FieldSetView {
  draft: Definition
  latestVersion: number
  today: string
  can: Readonly<Record<string, boolean>>
}

interface DefinedFieldsProps<Data extends FieldSetView> extends Pick<ResponseViewProps<Data>, 'response'> {
  title: ReactNode
  /** Renders a description of the record below the screen's title, with a link back. */
  about: (data: Data) => ReactNode
  /** Name that distinguishes the builder's drafts from other drafts. */
  name: string
  /** Shown instead of the builder to people who may only view. */
  mayNot: ReactNode
  heading?: ReactNode
  onSave: (definition: Definition, basis: Definition) => Promise<{ definition: Definition }>
  onPublish: (definition: Definition) => Promise<{ version: number }>
  refresh: () => Promise<unknown>
  /** Describes the steps that remain before people can answer, if defining the fields is not enough. */
  onward?: (data: Data) => ReactNode
  /** Text about other questions of the form, and about the meaning of the fields on this screen. */
  children: (data: Data) => ReactNode
}

/** The screen on which staff define the fields of one record. */
export function DefinedFields<Data extends FieldSetView>(props: DefinedFieldsProps<Data>) {
  const { title, about, name, mayNot, heading, response, onSave, onPublish, refresh, onward, children } = props
  return (
    <>
      <PageHead title={title}>{response.data && about(response.data)}</PageHead>
      <ResponseView response={response} loading={<Trans>Loading fields</Trans>}>
        {(data) =>
          data.can['edit'] ? (
            <>
              <h2 className="mb-2 text-h3">{heading ?? <Trans>Questions</Trans>}</h2>
              <p className="mb-4 max-w-text text-muted">{children(data)}</p>
              <Text>{onward?.(data)}</Text>
              <Builder
                key={name}
                name={name}
                stored={data.draft}
                latestVersion={data.latestVersion}
                today={data.today}
                onSave={async (definition, basis) => {
                  const saved = await onSave(definition, basis)
                  await refresh()
                  return saved.definition
                }}
                onPublish={async (definition) => {
                  const { version } = await onPublish(definition)
                  await refresh()
                  return version
                }}
              />
            </>
          ) : (
            <Notice>{mayNot}</Notice>
          )
        }
      </ResponseView>
    </>
  )
}
