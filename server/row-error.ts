/** Error for a file row that cannot be imported. The message explains to the person how to correct the row. */
export class RowError extends Error {}
