import { Trans } from '@lingui/react/macro'
import { oddLetters, unprintableLetters } from '../../../shared/letters.ts'
import { useAnswer } from '../../query.ts'
import { Notice } from '../Notice.tsx'

/**
 * Warns staff before they issue or print a document that cannot show these letters. Renders nothing for common letters.
 */
export function LettersNotice({ texts }: { texts: readonly string[] }) {
  const letters = oddLetters(texts.join(' '))
  const { data } = useAnswer(unprintableLetters, { letters }, { enabled: letters !== '', staleTime: Infinity })
  return <Unprintable chars={data?.letters ?? []} />
}

/** Warning about letters that the server found, for example in an imported file. */
export const Unprintable = ({ chars: letters }: { chars: readonly string[] }) =>
  letters.length > 0 && (
    <Notice tone="warning" className="mb-4" title={<Trans>Documents cannot print some letters</Trans>}>
      <p>
        <Trans>
          No font has these letters: <span translate="no">{letters.join(' ')}</span>. Ask for the name in other letters,
          or write them by hand.
        </Trans>
      </p>
    </Notice>
  )
