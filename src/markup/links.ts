import { trimEnd } from '../text/trim-end.ts';
import type { MarkupContext, MarkupOrigin } from './context.ts';
import { escapePath, escapeSegment, joinPath, parseUrl } from './url.ts';

/** Begins a link that our own rules make: it starts at the root of the instance, whatever the origin of the text. */
export const ROOT_LINK = '/:root/';

/** Whether the link is for reading on (a page) or for loading (an image's or video's content). */
export type LinkUse = 'page' | 'media' | 'raw';

/** Resolves the links of one text by its origin. */
export class LinkResolver {
  readonly #origin: string;
  readonly #root: string;
  readonly #absolute: boolean;
  readonly #textOrigin: MarkupOrigin;
  readonly #repository: string;

  constructor(context: MarkupContext) {
    const root = new URL(context.rootUrl);
    this.#origin = root.origin;
    this.#root = trimEnd(root.pathname, '/');
    this.#absolute = context.absoluteLinks;
    this.#textOrigin = context.origin;
    const { repository } = context;
    this.#repository = repository ? `${this.#root}/${escapeSegment(repository.owner)}/${escapeSegment(repository.name)}` : this.#root;
  }

  /** The target of `link`, as written in the text; anything but a relative URL is unchanged. */
  resolve(link: string, use: LinkUse): string {
    if (link.startsWith('/:')) {
      const end = link.indexOf('/', 1);
      const kind = end < 0 ? link : link.slice(0, end);
      const rest = end < 0 ? '' : link.slice(end + 1);
      if (kind === '/:root') return this.#relative(`${this.#root}/`, '', rest);
      return this.resolve(rest, kind === '/:media' ? 'media' : kind === '/:raw' ? 'raw' : 'page');
    }
    const origin = this.#textOrigin;
    switch (origin.kind) {
      case 'document':
        return this.#relative(origin.base, '', link);
      case 'comment':
        return this.#relative(this.#repository, origin.ref ?? '', link);
      case 'wiki':
        return this.#relative(`${this.#repository}/wiki${use === 'page' ? '' : '/raw'}`, '', link);
      case 'file':
        return this.#relative(joinPath(this.#repository, use === 'page' ? 'src' : use, origin.ref), origin.folder, link);
    }
  }

  /** Whether a full URL is one of this instance. */
  isOwn(url: string): boolean {
    if (!url.toLowerCase().startsWith(this.#origin.toLowerCase())) return false;
    const rest = url.slice(this.#origin.length);
    return rest === '' || /^[/?#]/.test(rest) ? rest.startsWith(`${this.#root}/`) || rest === this.#root : false;
  }

  #relative(base: string, folder: string, link: string): string {
    const url = parseUrl(link);
    if (!url || url.scheme || url.authority) return link;
    let target = '';
    let from = folder;
    if (link.startsWith('/')) {
      // An absolute path that already names the page below `base` is unchanged; others are relative to the base.
      if (link.startsWith(base) && base.split('/').length > 4) target = link;
      from = '';
    }
    if (!target) {
      target = base.replace(/\/$/, '') + joinPath(`/${from}`, `/${escapePath(url.path)}`);
      target = target.replace(/\/$/, '');
      if (url.query) target += `?${url.query}`;
      if (url.fragment) target += `#${decodeFragment(url.fragment)}`;
    }
    if (!this.#absolute) return target;
    if (target === '') return `${this.#origin}${this.#root}/`;
    const resolved = parseUrl(target);
    // A backslash is a slash to browsers: they would leave for a host of that name.
    if (!resolved || resolved.scheme || resolved.authority || /\\|%5c/i.test(resolved.path)) return target;
    return `${this.#origin}/${target.replace(/^\//, '')}`;
  }
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
