import type { Html } from './html.ts';

/** A page: a heading, and what is under it. */
export interface Document {
  title: string;
  /** Parts are sent as they come: what is known at once does not wait for what takes longer. */
  body: Html | AsyncIterable<Html>;
  /**
   * `form`: a narrow column under the title. `page`: as wide as the content may be, with a heading of its own; `wide`: the whole window,
   * for code. A form when left out.
   */
  layout?: 'form' | 'page' | 'wide';
  /** Stands above the body in full width, such as the head of a repository. */
  banner?: Html;
  status?: number;
  headers?: Record<string, string>;
  /** Beside the instance itself: where its forms may lead, as a source of a content security policy. */
  formTarget?: string;
  /** Whether it shows a file of the instance in the browser's own viewer (`object`). */
  showsObject?: boolean;
  /** Scripts that this page needs besides those of all pages, by the names of their assets. */
  scripts?: readonly string[];
  /** The addresses of the modules that those scripts import by name, from the root. */
  imports?: Readonly<Record<string, string>>;
  /** What changes on it while it is open (`processes/subjects.ts`): its parts with `data-live-part` and an id are then replaced by new ones. */
  live?: readonly string[];
  /** What other sites show with a link to this page (https://ogp.me). */
  summary?: { readonly description?: string; readonly image?: string };
  /** Feeds of what the page shows. */
  feeds?: readonly { readonly type: 'atom' | 'rss'; readonly href: string; readonly title: string }[];
}
