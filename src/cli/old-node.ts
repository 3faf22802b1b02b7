/** The release of Node that Copse brings. */
const NODE = 26;

/** What to do where the Node that runs Copse is too old for it; undefined where it is not. */
export function oldNode(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= NODE) return undefined;
  return `Node ${version} is too old, Copse needs Node ${NODE}: start it with bin/copse or npm start, which run the Node that it brings`;
}
