import { type ReactNode, useId } from 'react'
import { FieldError } from '../../../../web/ui/Field.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

/** Groups the controls of an alert's area. The form moves the focus to the error, which appears above the controls. */
export function AreaPart({ error, children }: { error: string | undefined; children: ReactNode }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-4" {...(error && { 'data-error': `${id}-error` })}>
      {error && (
        <div role="alert">
          <FieldError id={id}>{error}</FieldError>
        </div>
      )}
      <Text>{children}</Text>
    </div>
  )
}
