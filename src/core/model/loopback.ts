const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address is this machine's own. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}
