import type { ReactNode } from 'react'
import type { Definition } from '../../../shared/fields/definition.ts'
import { Notice } from '../../ui/Notice.tsx'
import Builder from './Builder.tsx'

interface DefinedFieldsProps {
  /** Tells the builder's drafts apart. */
  name: string
  /** What the call answers that shows the definition. */
  of: { draft: Definition; latestVersion: number; today: string }
  /** Said instead of the builder to those who may only look; null for those who may change it. */
  mayNot: ReactNode
  title: ReactNode
  onSave: (definition: Definition, basis: Definition) => Promise<{ definition: Definition }>
  onPublish: (definition: Definition) => Promise<{ version: number }>
  /** Loads anew what shows the definition. */
  renew: () => Promise<unknown>
  /** What is asked besides, and what the fields mean here. */
  children: ReactNode
}

/** The builder of the fields that staff define for one thing. */
export function DefinedFields({ name, of, mayNot, title, onSave, onPublish, renew, children }: DefinedFieldsProps) {
  if (mayNot) return <Notice>{mayNot}</Notice>
  return (
    <>
      <h2 className="mb-2 text-h3">{title}</h2>
      <p className="mb-4 max-w-text text-muted">{children}</p>
      <Builder
        name={name}
        kept={of.draft}
        latestVersion={of.latestVersion}
        today={of.today}
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
  )
}
