/** Weights of the search, tuned with the paraphrases of `demo-paraphrases.ts` by fivefold cross-validation. */
export const WEIGHTS = {
  /** Weights of indirect matches: the company's synonym, an official term, and a word of similar meaning. */
  synonym: 0.7,
  called: 0.85,
  near: 0.5,
  /** Weight of a match that appears only in the answer, relative to a match in the question. */
  answer: 0.9,
  /**
   * `mistake` is the penalty for each mistyped letter. `corrected` is the certainty of a correction if the typed word
   * is a rare English word, which the person may have intended.
   */
  mistake: 0.15,
  corrected: 0.7,
  /** Weights of the similarity to the whole text: in meaning, in words and in letters. */
  meaning: 0.4,
  terms: 0.5,
  chars: 0.45,
  /** Weights of a second similar wording, and of the whole question with its answer. */
  second: 0.1,
  whole: 0.2,
  /** Reduction of the weight of words that are common in English. */
  common: 0.9,
}
