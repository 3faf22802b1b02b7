/** Now, in the whole seconds that the database keeps. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
