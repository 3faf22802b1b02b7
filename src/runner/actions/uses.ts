import { RunnerProblem } from '../problem.ts';

/** An action of a Git repository. */
export interface RemoteUse {
  /** The URL of the repository. */
  readonly url: string;
  /** Owner and name. */
  readonly repository: string;
  /** The folder of the action in it; empty for its root. */
  readonly path: string;
  readonly ref: string;
}

const PART = /^[\w.-]{1,100}$/;
/** A valid Git ref that is neither an option nor a range. */
const REF = /^(?!-)(?!.*\.\.)[\w./@+-]{1,200}$/;

/**
 * Reads `owner/repository/path@ref`, also with the URL of another server in front.
 * @param defaultUrl the server of those without one, without a slash at the end
 * @throws RunnerProblem
 */
export function parseUse(uses: string, defaultUrl: string): RemoteUse {
  const wrong = () =>
    new RunnerProblem(`uses: ${JSON.stringify(uses.slice(0, 200))} has to be owner/repository@ref, a URL with @ref, or ./path`);
  const at = uses.lastIndexOf('@');
  const ref = uses.slice(at + 1);
  if (at < 1 || !REF.test(ref)) throw wrong();
  const { base, rest } = splitServer(uses.slice(0, at), defaultUrl);
  const [owner, name, ...folders] = rest.split('/').filter((part) => part !== '');
  if (!owner || !name || ![owner, name, ...folders].every((part) => PART.test(part) && !/^\.{1,2}$/.test(part))) throw wrong();
  const repository = `${owner}/${name.replace(/\.git$/, '')}`;
  return { url: `${base}/${repository}`, repository, path: folders.join('/'), ref };
}

function splitServer(text: string, defaultUrl: string): { base: string; rest: string } {
  if (!/^https?:\/\//.test(text)) return { base: defaultUrl, rest: text };
  const { origin, pathname, username } = new URL(text);
  if (username !== '') throw new RunnerProblem('uses: the URL must not have a user name');
  return { base: origin, rest: pathname };
}
