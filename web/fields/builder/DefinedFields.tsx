import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Definition } from '../../../shared/fields/definition.ts'
import { Answered, type AnsweredProps } from '../../ui/Answered.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/Page.tsx'
import Builder from './Builder.tsx'
import { Text } from '../../ui/Text.tsx'

/** What every call answers that shows the fields which staff define for something. */
interface Defined {
  draft: Definition
  latestVersion: number
  today: string
  can: Readonly<Record<string, boolean>>
}

interface DefinedFieldsProps<Data extends Defined> extends Pick<AnsweredProps<Data>, 'answer'> {
  title: ReactNode
  /** What the screen is about, under its title, with the way back. */
  about: (data: Data) => ReactNode
  /** Tells the builder's drafts apart. */
  name: string
  /** Said instead of the builder to those who may only look. */
  mayNot: ReactNode
  heading?: ReactNode
  onSave: (definition: Definition, basis: Definition) => Promise<{ definition: Definition }>
  onPublish: (definition: Definition) => Promise<{ version: number }>
  /** Loads anew what shows the definition. */
  renew: () => Promise<unknown>
  /** What has to be done yet before anybody is asked, where the fields alone don't do it. */
  onward?: (data: Data) => ReactNode
  /** What is asked besides, and what the fields mean here. */
  children: (data: Data) => ReactNode
}

/** The screen on which staff define the fields of one thing. */
export function DefinedFields<Data extends Defined>(props: DefinedFieldsProps<Data>) {
  const { title, about, name, mayNot, heading, answer, onSave, onPublish, renew, onward, children } = props
  return (
    <>
      <PageHead title={title}>{answer.data && about(answer.data)}</PageHead>
      <Answered answer={answer} loading={<Trans>Loading the fields</Trans>}>
        {(data) =>
          data.can['edit'] ? (
            <>
              <h2 className="mb-2 text-h3">{heading ?? <Trans>What is asked</Trans>}</h2>
              <p className="mb-4 max-w-text text-muted">{children(data)}</p>
              <Text>{onward?.(data)}</Text>
              <Builder
                key={name}
                name={name}
                kept={data.draft}
                latestVersion={data.latestVersion}
                today={data.today}
                onSave={async (definition, basis) => {
                  const saved = await onSave(definition, basis)
                  await renew()
                  return saved.definition
                }}
                onPublish={async (definition) => {
                  const { version } = await onPublish(definition)
                  await renew()
                  return version
                }}
              />
            </>
          ) : (
            <Notice>{mayNot}</Notice>
          )
        }
      </Answered>
    </>
  )
}
