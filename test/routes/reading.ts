import { allRoutes } from '../../src/features.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import type { Client, TestResponse } from '../support/client.ts';
import { addressesOf, headersFor } from './paths.ts';
import { INTERNAL, SECRET } from './world.ts';

const reading = allRoutes.filter(({ method, path }) => method === 'GET' && !path.startsWith('//user/'));
const REFUSED = [401, 403, 404];

/** What a {@link Reader} looks for. */
export interface ReaderOptions {
  /** What no response may have in it. */
  readonly secrets: RegExp;
  /** Values of the parameters of queries that are strings. */
  readonly words: readonly string[];
}

/** Sends requests to every route that reads, each of them once. */
export class Reader {
  readonly #client: Client;
  readonly #options: ReaderOptions;
  /** The statuses of what was sent. */
  readonly #sent = new Map<string, number>();

  constructor(client: Client, options: ReaderOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Returns the responses at a place that have a secret in them, or failed. All values of its parameters are tried where `isOpen`. */
  async leaksAt(place: Record<string, readonly string[]>, isOpen: boolean): Promise<string[]> {
    const leaks: string[] = [];
    for (const route of reading) {
      // What is private itself is refused before anything in it is looked up.
      const addresses = addressesOf(route, place).slice(0, isOpen ? undefined : 2);
      for (const [index, address] of addresses.entries()) {
        const status = await this.#send(address, leaks);
        if (index === 0 && !address.includes('?')) await this.#sendQueries(route, address, status, leaks);
      }
    }
    return leaks;
  }

  async #sendQueries({ query = {} }: AnyRoute, address: string, status: number, leaks: string[]): Promise<void> {
    const parameters = Object.entries(query).map(([name, { type }]) => {
      const values = type === 'boolean' ? ['true'] : type === 'integer' ? ['2'] : this.#options.words;
      return values.map((value) => `${name}=${value}`);
    });
    if (parameters.length === 0) return;
    // A refusal that all parameters together do not change is not looked at for each of them.
    if (REFUSED.includes(status)) {
      let isSame = true;
      for (const index of this.#options.words.keys()) {
        const together = parameters.map((choices) => choices[index % choices.length]).join('&');
        isSame = (await this.#send(`${address}?${together}`, leaks)) === status && isSame;
      }
      if (isSame) return;
    }
    for (const parameter of parameters.flat()) await this.#send(`${address}?${parameter}`, leaks);
  }

  /** Returns the status. Routes that name no place have the same address at each: it is sent once. */
  async #send(address: string, leaks: string[]): Promise<number> {
    const known = this.#sent.get(address);
    if (known !== undefined) return known;
    const response = await this.#client.get(address, { headers: headersFor(address) });
    this.#sent.set(address, response.status);
    const text = newsIn(address, response);
    const at = text.search(this.#options.secrets);
    if (at >= 0 || response.status >= 500) leaks.push(`${response.status} ${address}: ${text.slice(Math.max(0, at - 200), at + 50)}`);
    return response.status;
  }
}

/** A response without what its caller knew: the words of the request. */
function newsIn(address: string, { text, headers }: TestResponse): string {
  const known = decodeURIComponent(address)
    .split(/[/?&=]/)
    .filter((part) => part.includes(SECRET) || part.includes(INTERNAL));
  known.push(...known.map((part) => part.replace(/\.(zip|tar\.gz|yml)$/, '')));
  let news = `${text}\n${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`;
  // The audit log of the caller's own organization has the words that the caller itself sent.
  if (address.startsWith('/orgs/mallorys/audit')) news = news.replace(/"details":\{[^{}]*\}/g, '');
  for (const word of known.toSorted((a, b) => b.length - a.length))
    news = news.replaceAll(word, '').replaceAll(encodeURIComponent(word), '');
  return news;
}
