/** True if a host name means this machine. All names that end in .localhost do (RFC 6761). */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === '[::1]' || /^(?:.+\.)?localhost$/.test(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname)
