/** A row of a file that can't be taken. The message is the sentence that says what to correct. */
export class WrongRow extends Error {}
