/** A file row that cannot be imported. The message tells the person how to correct it. */
export class RowError extends Error {}
