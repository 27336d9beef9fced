import { useEffect, useState } from 'react'
import { contrast, DEFAULT_BACKGROUND, DEFAULT_TEXT, makeTheme } from '../../shared/theme.ts'
import { useQueryParam } from '../routes.tsx'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Choice.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Columns, Row, Section } from './Section.tsx'
import { Text } from '../ui/Text.tsx'

const companies = [
  { name: 'Default', background: DEFAULT_BACKGROUND },
  { name: 'Gold', background: '#ffd200' },
  { name: 'Maroon', background: '#8a1c3c' },
  { name: 'Green', background: '#0b7f5b' },
  { name: 'Gray', background: '#777777' },
  { name: 'Black', background: '#000000' },
]

/** Changes the page's colors as a company would, and shows the colors that were darkened for readability. */
export function ThemePicker() {
  const [background, setBackground] = useState(useQueryParam('background') ?? DEFAULT_BACKGROUND)
  const [text, setText] = useState(useQueryParam('text') ?? DEFAULT_TEXT)
  const [office, setOffice] = useState(useQueryParam('office') === '1')
  const theme = makeTheme(background, text)

  useEffect(() => {
    for (const [token, color] of Object.entries(makeTheme(background, text).tokens))
      document.documentElement.style.setProperty(`--${token}`, color)
  }, [background, text])
  useEffect(() => {
    document.documentElement.classList.toggle('office', office)
  }, [office])

  return (
    <Section title="Colors">
      <Row>
        {companies.map((company) => (
          <Button key={company.name} size="small" onClick={() => setBackground(company.background)}>
            {company.name}
          </Button>
        ))}
      </Row>
      <Row>
        <TextField
          label="Background color"
          value={background}
          onChange={(event) => setBackground(event.target.value)}
        />
        <TextField label="Text color" value={text} onChange={(event) => setText(event.target.value)} />
        <Checkbox label="Back office density" checked={office} onChange={(event) => setOffice(event.target.checked)} />
      </Row>
      {theme.darkened.map(({ what, chosen, used }) => (
        <p key={what}>
          The <Text>{what}</Text> <Text>{chosen}</Text> is darkened to <Text>{used}</Text>, so that it can be read.
        </p>
      ))}
      <ul className="mt-4 grid grid-cols-2 gap-2 md:grid-cols-5">
        {Object.entries(theme.tokens).map(([token, color]) => (
          <li key={token} className="rounded-sm border border-line bg-surface p-2 text-sm">
            <Swatch color={color} />
            <strong className="block">{token}</strong>
            <span className="text-muted">
              <Text>{color}</Text> · <Text>{contrast(color, '#ffffff').toFixed(1)}</Text>
            </span>
          </li>
        ))}
      </ul>
      <h3 className="mt-8 mb-3">Type</h3>
      <Columns>
        <div>
          <p className="font-bold font-display text-h1">City hall</p>
          <p className="font-bold font-display text-title">Screen title</p>
          <p className="font-bold font-display text-h2">Heading two</p>
          <p className="font-bold font-display text-h3">Heading three</p>
        </div>
        <div>
          <p className="text-lg">Large text, for a lead.</p>
          <p>Text. Account number 100001, due November 30, 2026.</p>
          <p className="text-muted">Muted text, for what is said beside it.</p>
          <p className="text-sm">Small text. 0O 1Il 5S 8B</p>
        </div>
        <p>
          <a className="link" href="#colors">
            A link in a sentence
          </a>
          , and then the sentence goes on.
        </p>
      </Columns>
    </Section>
  )
}

const Swatch = ({ color }: { color: string }) => (
  <svg aria-hidden className="mb-1 h-8 w-full rounded-sm border border-line">
    <rect width="100%" height="100%" fill={color} />
  </svg>
)
