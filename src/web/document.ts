import type { Html } from './html.ts';

/** A page: a heading, and its content. */
export interface Document {
  title: string;
  /** Parts are streamed: those that are ready do not wait for slower ones. */
  body: Html | AsyncIterable<Html>;
  /**
   * `form`: a narrow column under the title. `page`: the full content width, with the page's own heading; `wide`: the whole window,
   * for code. A form when left out.
   */
  layout?: 'form' | 'page' | 'wide';
  /** Stands above the body in full width, such as the head of a repository. */
  banner?: Html;
  status?: number;
  headers?: Record<string, string>;
  /** Targets of its forms besides the instance itself, as a source of a content security policy. */
  formTarget?: string;
  /** Whether it shows a file of the instance in the browser's own viewer (`object`). */
  showsObject?: boolean;
  /** Scripts that this page needs besides those of all pages, by the names of their assets. */
  scripts?: readonly string[];
  /** The paths of the modules that those scripts import by name, from the root. */
  imports?: Readonly<Record<string, string>>;
  /** The live subjects of the page (`processes/subjects.ts`): on a change, its parts with `data-live-part` and an id are replaced. */
  live?: readonly string[];
  /** The preview that other sites show with a link to this page (https://ogp.me). */
  summary?: { readonly description?: string; readonly image?: string };
  /** Feeds of the page's content. */
  feeds?: readonly { readonly type: 'atom' | 'rss'; readonly href: string; readonly title: string }[];
}
