/** A file that can't be read at all. The message is one sentence for the person who sent it. */
export class FileRefused extends Error {}
