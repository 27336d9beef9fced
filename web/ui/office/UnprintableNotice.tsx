import { Trans } from '@lingui/react/macro'
import { unusualChars, unprintableChars } from '../../../shared/chars.ts'
import { useResponse } from '../../query.ts'
import { Notice } from '../Notice.tsx'

/**
 * Warns staff before they issue or print a document with characters that its fonts lack. Renders nothing for common
 * characters.
 */
export function UnprintableNotice({ texts }: { texts: readonly string[] }) {
  const chars = unusualChars(texts.join(' '))
  const { data } = useResponse(unprintableChars, { chars }, { enabled: chars !== '', staleTime: Infinity })
  return <Unprintable chars={data?.chars ?? []} />
}

/**
 * Warning about characters that no document font contains. The server finds the characters, for example in an imported
 * file.
 */
export const Unprintable = ({ chars }: { chars: readonly string[] }) =>
  chars.length > 0 && (
    <Notice tone="warning" className="mb-4" title={<Trans>Some characters cannot be printed on documents</Trans>}>
      <p>
        <Trans>
          Our fonts do not include these characters: <span translate="no">{chars.join(' ')}</span>. Ask for another
          spelling of the name, or write the characters on the printed document by hand.
        </Trans>
      </p>
    </Notice>
  )
