/** The release of Node that Copse brings. */
const NODE = 26;

/** Advice if the running Node is too old for Copse; otherwise undefined. */
export function oldNode(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= NODE) return undefined;
  return `Node ${version} is too old, Copse needs Node ${NODE}: start it with bin/copse or npm start, which run the Node that it brings`;
}
