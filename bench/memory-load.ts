import { Agent, request } from 'undici';

/** What the clients read and write. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** Of a browser that is signed in. */
  readonly cookie: string;
  /** The full name of the repository that is written to. */
  readonly written: string;
  readonly read: { name: string; files: readonly string[] }[];
}

type Send = () => Promise<number>;

/** Reads of the API, pages and writes, as parts of a hundred. */
const PARTS = { read: 55, page: 33 };
const READS = [
  '',
  '/contents',
  '/branches?limit=50',
  '/tags',
  '/commits?limit=50',
  '/issues?type=issues&limit=50',
  '/issues/1/comments',
  '/pulls?limit=20',
  '/releases',
  '/git/trees/HEAD?recursive=true',
] as const;
const PAGES = ['', '/issues', '/pulls', '/commits/branch/main', '/branches', '/issues/1', '/releases'] as const;
const TEXT = 'It **fails** since #1:\n\n- first `step`\n- [ ] second\n\n```js\nconst answer = 42;\n```\n';

const agent = new Agent({ connections: 1000, pipelining: 1 });

/** What one client sends, without end: the same in each run. */
export function* clientRequests(target: Target, client: number): Generator<Send> {
  const below = numbers(client + 1);
  for (let round = 0; ; round++) {
    const kind = below(100);
    const repository = target.read[below(4) === 0 ? below(target.read.length) : 0];
    if (!repository) throw new Error('there is no repository to read');
    const { name, files } = repository;
    const file = files[below(files.length)] ?? '';
    if (kind < PARTS.read) {
      const at = below(READS.length + 3);
      const path =
        READS[at] ?? [`/contents/${file}`, `/raw/${file}`, `/commits?limit=20&path=${encodeURIComponent(file)}`][at - READS.length];
      yield () => api(target, 'GET', `repos/${name}${path}`);
    } else if (kind < PARTS.read + PARTS.page) {
      const at = below(PAGES.length + 1);
      yield () => page(target, `${name}${PAGES[at] ?? `/src/branch/main/${file}`}`);
    } else yield write(target, below(10), `${client} ${round}`);
  }
}

function write(target: Target, kind: number, unique: string): Send {
  const at = `repos/${target.written}`;
  if (kind < 5) return () => api(target, 'POST', `${at}/issues`, { title: `Problem ${unique}`, body: `${TEXT}${unique}` });
  if (kind < 9) return () => api(target, 'POST', `${at}/issues/1/comments`, { body: `${TEXT}${unique}` });
  const content = Buffer.from(`text ${unique}\n`.repeat(50)).toString('base64');
  return () =>
    api(target, 'POST', `${at}/contents/made/${unique.replace(' ', '/')}.txt`, { content, message: `Add ${unique}`, branch: 'main' });
}

function api({ url, token }: Target, method: 'GET' | 'POST', path: string, body?: object): Promise<number> {
  const headers = { authorization: token, 'content-type': 'application/json' };
  return send(new URL(`/api/v1/${path}`, url), { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

function page({ url, cookie }: Target, path: string): Promise<number> {
  return send(new URL(path, url), { method: 'GET', headers: { cookie, accept: 'text/html', 'accept-encoding': 'br' } });
}

async function send(address: URL, options: object): Promise<number> {
  const { statusCode, body } = await request(address, { dispatcher: agent, ...options });
  await body.dump({ limit: 2 ** 30 });
  return statusCode;
}

/** Numbers below a bound that look random and are the same in each run. */
function numbers(seed: number): (bound: number) => number {
  let state = seed * 2654435761;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
