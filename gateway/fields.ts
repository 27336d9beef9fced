import { readFile } from 'node:fs/promises'

/** A field that is typed into: its name, its label, and what a browser may fill in. */
interface Typed {
  id: string
  label: string
  most: number
  numeric?: boolean
  autocomplete?: string
  wide?: boolean
}

const input = ({ id, label, most, numeric = true, autocomplete = 'off', wide = false }: Typed) => `
        <div class="field${wide ? ' wide' : ''}">
          <label for="${id}">${label}</label>
          <input id="${id}" name="${id}"${numeric ? ' inputmode="numeric"' : ''} autocomplete="${autocomplete}" maxlength="${most}" aria-describedby="${id}-error" required />
          <p class="error" id="${id}-error"></p>
        </div>`

const ACCOUNT_TYPE = `
        <div class="field wide">
          <label for="account_type">Account type</label>
          <select id="account_type" name="account_type">
            <option value="2" selected>Checking</option>
            <option value="1">Savings</option>
          </select>
          <p class="error"></p>
        </div>`

const pages = {
  card: {
    title: 'Card details',
    fields: [
      input({ id: 'number', label: 'Card number', most: 23, autocomplete: 'cc-number', wide: true }),
      input({ id: 'expiry', label: 'Expires (MM / YY)', most: 7, autocomplete: 'cc-exp' }),
      input({ id: 'cvc', label: 'Security code', most: 4, autocomplete: 'cc-csc' }),
    ],
  },
  bank: {
    title: 'Bank account details',
    fields: [
      input({
        id: 'holder',
        label: 'Name on the account',
        most: 100,
        numeric: false,
        autocomplete: 'name',
        wide: true,
      }),
      input({ id: 'routing', label: 'Routing number', most: 9 }),
      input({ id: 'number', label: 'Account number', most: 17 }),
      ACCOUNT_TYPE,
    ],
  },
}

async function framed(title: string, body: string): Promise<string> {
  const frame = await readFile(new URL('fields/frame.html', import.meta.url), 'utf8')
  return frame.replace('{{title}}', title).replace('{{body}}', () => body)
}

/** A page that stands by itself, for what somebody is asked outside of the portal. */
export const standalonePage = (title: string, main: string): Promise<string> =>
  framed(title, `<body class="standalone"><main>${main}</main></body>`)

/** The page of hosted fields for a card or a bank account; null for anything else. */
export async function fieldsPage(kind: string): Promise<string | null> {
  if (kind !== 'card' && kind !== 'bank') return null
  const { title, fields } = pages[kind]
  return framed(
    title,
    `<body>
    <main aria-label="${title}">
      <form id="fields" data-kind="${kind}" novalidate aria-label="${title}">${fields.join('')}
        <p class="test wide"><strong>TEST: no money moves.</strong></p>
      </form>
    </main>
    <script type="module" src="fields.js"></script>
  </body>`,
  )
}
