import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Header } from 'react-aria-components/Header'
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Input, TextField } from 'react-aria-components/TextField'
import type { ResponseOf } from '../../shared/endpoint.ts'
import { findRecords, MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH } from '../../shared/lookups.ts'
import { messageOf } from '../call.ts'
import { go } from '../go.ts'
import { useResponse } from '../query.ts'
import { Overlay } from '../ui/Dialog.tsx'
import { controlClasses } from '../ui/Field.tsx'
import { optionClasses } from '../ui/Picker.tsx'
import { cx } from '../ui/cx.ts'
import { Text } from '../ui/Text.tsx'
import { actionCommands, type Command, matchesOf, screenCommands } from './commands.ts'
import { recentCommands, rememberCommand } from './recent.ts'

/** Time after the last key before the search starts, in milliseconds. */
const DELAY_MS = 150

interface CommandBarProps {
  /** Text that the person typed before the bar was loaded. */
  initialText: string
  onSignOut: () => void
  onClose: () => void
}

interface Section {
  title: string
  commands: readonly Command[]
}

/** Dialog that finds screens, actions and records while staff type. */
export default function CommandBar({ initialText, onSignOut, onClose }: CommandBarProps) {
  const { t } = useLingui()
  const id = useId()
  const [text, setText] = useState(initialText)
  const search = text.trim().slice(0, MAX_SEARCH_LENGTH)
  const records = useRecords(search)
  const sections = useSections(search, records.kinds, onSignOut)
  const commands = new Map(sections.flatMap((section) => section.commands.map((command) => [command.id, command])))
  /** True if the person pressed Enter before the search responded. */
  const [isEager, setIsEager] = useState(false)

  const open = (command: Command | undefined, inNewTab = false) => {
    if (!command) return
    rememberCommand(command)
    if (inNewTab && command.path !== undefined) {
      window.open(command.path, '_blank', 'noopener')
      return
    }
    onClose()
    if (command.path === undefined) command.run?.()
    else go(command.path)
  }
  const first = sections[0]?.commands[0]
  const openFirst = useEffectEvent(() => {
    setIsEager(false)
    open(first)
  })
  useEffect(() => {
    if (isEager && !records.isSearching) openFirst()
  }, [isEager, records.isSearching])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const focused = focusedCommand(event.target, commands)
    const isNewTab = event.metaKey || event.ctrlKey
    if (focused && !isNewTab) return
    event.preventDefault()
    event.stopPropagation()
    if (focused ?? first) open(focused ?? first, isNewTab)
    else setIsEager(records.isSearching)
  }
  return (
    <Overlay onClose={onClose} labelledBy={id}>
      <div className="panel pointer-events-none absolute inset-0 flex flex-col items-center p-2 sm:p-4 sm:pt-[10dvh]">
        <div
          data-content
          className="pointer-events-auto flex max-h-full min-h-0 w-full max-w-160 flex-col rounded-sm border border-transparent bg-surface shadow-overlay sm:max-h-[75dvh]"
        >
          <h2 id={id} className="sr-only">
            <Trans>Find a screen, an action or a record</Trans>
          </h2>
          <I18nProvider locale="en-US">
            <Autocomplete inputValue={text} onInputChange={setText}>
              <TextField aria-labelledby={id} className="border-line border-b p-2">
                <Input
                  // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- Autocomplete adds aria-controls
                  role="combobox"
                  aria-expanded={commands.size > 0}
                  maxLength={MAX_SEARCH_LENGTH}
                  autoComplete="off"
                  enterKeyHint="go"
                  placeholder={t`Screen, action, number, name or address`}
                  className={controlClasses()}
                  onKeyDownCapture={onKeyDown}
                />
              </TextField>
              <ListBox
                aria-label={t`Results`}
                className={cx(
                  'focus-inside min-h-0 flex-1 overflow-y-auto overscroll-contain py-1 outline-none',
                  commands.size === 0 && 'hidden',
                )}
                onAction={(key) => open(commands.get(String(key)))}
              >
                {sections.map(({ title, commands: entries }) => (
                  <ListBoxSection key={title} id={title}>
                    <Header className="px-4 pt-2 pb-1 font-bold text-muted text-xs">{title}</Header>
                    {entries.map((command) => (
                      <CommandItem key={command.id} {...command} />
                    ))}
                  </ListBoxSection>
                ))}
              </ListBox>
            </Autocomplete>
          </I18nProvider>
          <div className="border-line border-t px-4 py-2 text-muted text-sm" role="status">
            <BarStatus {...{ search, records, count: commands.size, isEager }} />
          </div>
        </div>
      </div>
    </Overlay>
  )
}

/** Returns the entry that the list highlights for the field. */
function focusedCommand(field: EventTarget, commands: ReadonlyMap<string, Command>): Command | undefined {
  const id = field instanceof Element ? field.getAttribute('aria-activedescendant') : null
  return commands.get((id && document.getElementById(id)?.dataset['key']) || '')
}

function CommandItem({ id, title, detail }: Command) {
  return (
    <ListBoxItem id={id} textValue={title} className={cx(optionClasses, 'min-h-11 py-1')}>
      <span className="min-w-0 flex-1">
        <span className="block truncate">{title}</span>
        {detail && <span className="block truncate text-muted text-sm">{detail}</span>}
      </span>
    </ListBoxItem>
  )
}

type Kinds = ResponseOf<typeof findRecords>['kinds']
interface Records {
  kinds: Kinds
  isSearching: boolean
  error: string
  retry: () => void
}

/** Searches for records after a pause in typing. The results always belong to the current text. */
function useRecords(search: string): Records {
  const [paused, setPaused] = useState('')
  const timer = useRef(0)
  useEffect(() => {
    timer.current = window.setTimeout(() => setPaused(search), DELAY_MS)
    return () => clearTimeout(timer.current)
  }, [search])
  const isLongEnough = search.length >= MIN_SEARCH_LENGTH
  const isCurrent = isLongEnough && paused === search
  const { data, error, isFetching, refetch } = useResponse(findRecords, { search: paused }, { enabled: isCurrent })
  return {
    kinds: (isCurrent && data?.kinds) || [],
    isSearching: isLongEnough && (!isCurrent || (isFetching && !data)),
    error: isCurrent && error && !isFetching ? messageOf(error) : '',
    retry: () => void refetch(),
  }
}

/** Returns the entries in groups. Without a search text, these are the entries that the person opened last. */
function useSections(search: string, kinds: Kinds, onSignOut: () => void): Section[] {
  const { t } = useLingui()
  const [recent] = useState(recentCommands)
  if (search === '') return recent.length > 0 ? [{ title: t`Recent`, commands: recent }] : []
  if (search.length < MIN_SEARCH_LENGTH) return []
  return [
    { title: t`Screens`, commands: matchesOf(screenCommands(), search) },
    { title: t`Actions`, commands: matchesOf(actionCommands(onSignOut), search) },
    ...kinds.map(({ label, records }) => ({
      title: label,
      commands: records.map(({ title, detail, path }) => ({ id: `record:${label}:${path}`, title, detail, path })),
    })),
  ].filter(({ commands }) => commands.length > 0)
}

interface StatusProps {
  search: string
  records: Records
  count: number
  isEager: boolean
}

/** Line below the results: a hint, the progress, the number of results or an error. */
function BarStatus({ search, records, count, isEager }: StatusProps) {
  if (records.error)
    return (
      <p className="text-danger">
        <Text>{records.error}</Text>{' '}
        <button type="button" className="link" onClick={records.retry}>
          <Trans>Try again</Trans>
        </button>
      </p>
    )
  if (search.length < MIN_SEARCH_LENGTH)
    return search === '' && count > 0 ? (
      <Trans>Type to search. Ctrl or ⌘ with Enter opens a new tab.</Trans>
    ) : (
      <Trans>Type at least 2 letters or digits.</Trans>
    )
  if (records.isSearching)
    return isEager ? <Trans>Searching. The first result will open.</Trans> : <Trans>Searching for records</Trans>
  if (count === 0) return <Trans>No results. Try a number, or part of a name or address.</Trans>
  return <Plural value={count} one="# result" other="# results" />
}
