// Hosted fields for card and bank data. The entered data goes only to this page's own origin. The embedding page
// receives only a token.
import { brandOf, isExpired, passesAba, passesLuhn, routingFault } from './numbers.js'
import { digits, expiryOf, shapeCardNumber, shapeExpiry } from './shapes.js'

const query = new URLSearchParams(location.search)
const parentOrigin = query.get('parent') ?? ''
const form = /** @type {HTMLFormElement} */ (document.getElementById('fields'))
const kind = form.dataset.kind
const inputs = /** @type {Record<string, HTMLInputElement>} */ (
  Object.fromEntries([...form.querySelectorAll('input, select')].map((input) => [input.id, input]))
)
const touched = new Set()
/** @type {MessagePort | null} */
let port = null

/** Delay before an error appears, in milliseconds. It is longer than a button press. */
const PRESS_MS = 250

const say = (message) => port?.postMessage(message)

const shape = {
  number: (text) => (kind === 'bank' ? digits(text).slice(0, 24) : shapeCardNumber(text, brandOf(digits(text)))),
  expiry: shapeExpiry,
  cvc: (text) => digits(text).slice(0, 4),
  routing: (text) => digits(text).slice(0, 12),
  holder: (text) => text,
}

/** Returns the error message of each invalid field. Valid fields are absent. */
function faults() {
  const errors = {}
  const number = digits(inputs.number.value)
  if (kind === 'card') {
    if (!passesLuhn(number)) errors.number = number ? 'A digit is wrong or missing.' : 'Enter the card number.'
    const expiry = expiryOf(inputs.expiry.value)
    if (!expiry) errors.expiry = 'Enter month and year, such as 08 / 29.'
    else if (isExpired(expiry.month, expiry.year, new Date())) errors.expiry = 'This card has expired.'
    const length = brandOf(number) === 'amex' ? 4 : 3
    if (inputs.cvc.value.length !== length)
      errors.cvc = `Enter the ${length} digits on the ${length === 4 ? 'front' : 'back'}.`
  } else {
    if (inputs.holder.value.trim().length < 2) errors.holder = 'Enter the name on the account.'
    if (!passesAba(inputs.routing.value)) errors.routing = routingFault(inputs.routing.value)
    if (!/^\d{4,17}$/.test(inputs.number.value)) errors.number = 'Enter the account number, 4 to 17 digits.'
  }
  return errors
}

function show(errors) {
  for (const [id, input] of Object.entries(inputs)) {
    const line = document.getElementById(`${id}-error`)
    if (!line) continue
    const sentence = errors[id] ?? ''
    line.textContent = sentence
    input.setAttribute('aria-invalid', String(Boolean(sentence)))
  }
}

/** @param typed true if the person changed a value, false if a field only lost the focus */
function tell(typed = false) {
  const errors = faults()
  const visibleErrors = Object.fromEntries(Object.entries(errors).filter(([id]) => touched.has(id)))
  show(visibleErrors)
  const empty = Object.values(inputs).every((input) => input.tagName === 'SELECT' || !input.value)
  const brand = kind === 'card' ? brandOf(digits(inputs.number.value)) : undefined
  say({ type: 'change', complete: Object.keys(errors).length === 0, empty, brand, errors: visibleErrors, typed })
}

form.addEventListener('input', (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target)
  if (input.id in shape) {
    const fromEnd = input.value.length - (input.selectionEnd ?? input.value.length)
    input.value = shape[input.id](input.value, input.dataset.before ?? '')
    input.dataset.before = input.value
    const place = Math.max(0, input.value.length - fromEnd)
    input.setSelectionRange(place, place)
  }
  tell(true)
})
form.addEventListener('focusout', (event) => {
  if (event.target.value) touched.add(event.target.id)
  // Shows errors only after a button press on the embedding page has ended. Otherwise, a two-line error would move the
  // button away during the press.
  setTimeout(tell, PRESS_MS)
  say({ type: 'blur' })
})
form.addEventListener('focusin', () => say({ type: 'focus' }))
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') say({ type: 'submit' })
})

function refuse(requestId, errors, message) {
  for (const id of Object.keys(errors)) touched.add(id)
  show(errors)
  const first = Object.keys(inputs).find((id) => errors[id])
  if (first) inputs[first].focus()
  say({ type: 'error', requestId, errors, message })
}

/** Shows an error at each missing or invalid field. The embedding page decides which field gets the focus. */
function check(requestId) {
  const errors = faults()
  for (const id of Object.keys(errors)) touched.add(id)
  show(errors)
  say({ type: 'checked', requestId, errors })
}

async function tokenize(requestId) {
  const errors = faults()
  if (Object.keys(errors).length > 0) return refuse(requestId, errors, 'Check the card or bank details.')
  const number = digits(inputs.number.value)
  const body =
    kind === 'card'
      ? { type: 'card', number, ...expiryOf(inputs.expiry.value), cvc: inputs.cvc.value }
      : {
          type: 'echeck',
          routing: inputs.routing.value,
          number,
          holder: inputs.holder.value,
          account_type: Number(inputs.account_type.value),
        }
  try {
    const response = await fetch(`tokens?account=${encodeURIComponent(query.get('account') ?? '')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (answer.errors) return refuse(requestId, answer.errors, 'Check the card or bank details.')
    if (!response.ok)
      return refuse(requestId, {}, 'The payment service could not read the details. Reload the page and try again.')
    say({ type: 'token', requestId, token: answer.token, method: answer.method })
  } catch {
    refuse(requestId, {}, 'The payment service could not be reached. Nothing was charged. Try again.')
  }
}

/** Applies the colors of the embedding page. Ignores values that are not colors. */
function dress(theme) {
  for (const [name, value] of Object.entries(theme ?? {}))
    if (/^[a-z-]{2,20}$/.test(name) && /^#[0-9a-f]{6}$/i.test(String(value)))
      document.documentElement.style.setProperty(`--${name}`, String(value))
}

function hear({ data }) {
  if (data?.type === 'tokenize') void tokenize(data.requestId)
  if (data?.type === 'check') check(data.requestId)
  if (data?.type === 'theme') dress(data.theme)
  if (data?.type === 'focus') (inputs[data.field] ?? Object.values(inputs)[0]).focus()
  if (data?.type === 'clear') {
    form.reset()
    touched.clear()
    tell()
  }
}

// The embedding page can focus only this page as a whole, not one of its fields. So this page focuses its first invalid
// field.
window.addEventListener('focus', () => {
  if (document.activeElement === document.body) form.querySelector('[aria-invalid=true]')?.focus()
})
window.addEventListener('message', (event) => {
  if (
    event.origin !== parentOrigin ||
    event.source !== window.parent ||
    event.data?.type !== 'mainstreet-fields-connect'
  )
    return
  const given = event.ports[0]
  if (!given) return
  port?.close()
  port = given
  port.onmessage = hear
  dress(event.data.theme)
  new ResizeObserver(() =>
    say({ type: 'resize', height: Math.ceil(document.documentElement.getBoundingClientRect().height) }),
  ).observe(document.body)
  tell()
})
window.parent.postMessage({ type: 'mainstreet-fields-ready' }, parentOrigin)
