/** True if a host name refers to this machine. That includes all names that end in .localhost (RFC 6761). */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === '[::1]' || /^(?:.+\.)?localhost$/.test(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname)
