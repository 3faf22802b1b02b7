import type { WorkerPool } from '../workers/pool.ts';

/** A repository as far as rendering needs it. */
export interface MarkupRepository {
  owner: string;
  name: string;
  /** Lower-case names of the teams that may read it, when an organization owns it: `@org/team` then links to the team. */
  teams?: readonly string[] | undefined;
  issueTracker?: ExternalIssueTracker | undefined;
}

/** The external issue tracker of a repository, if it has one. */
export interface ExternalIssueTracker {
  /** URL with the variables `{user}`, `{repo}`, `{index}`. */
  format: string;
  style: 'numeric' | 'alphanumeric' | 'regexp';
  /** For style `regexp`: the pattern, whose first group is the issue. */
  pattern?: string | undefined;
}

/** The source of the rendered text, which determines the base of its relative links and which references are linked. */
export type MarkupOrigin =
  /** Text that belongs to no repository; relative links start at `base`. */
  | { kind: 'document'; base: string }
  /** A comment, description or message. `footnotes` sets its footnote anchors apart from those of other texts on the page. */
  | { kind: 'comment'; ref?: string | undefined; footnotes?: string | undefined }
  /** A file: `ref` like `branch/main` (path-escaped), `folder` the folder of the file, `path` the file's path, both in the tree. */
  | { kind: 'file'; ref: string; folder: string; path?: string | undefined }
  | { kind: 'wiki' };

/** An issue or pull request that a list item names, to show with its title. */
export interface IssueTitle {
  title: string;
  /** Trusted SVG of its state, or nothing. */
  icon?: string | undefined;
}

/** A reference to an issue: owner, name and index of `owner/name#index`. */
export interface IssueName {
  owner: string;
  name: string;
  index: number;
}

/** Lines of a file that a text links to, shown in place. */
export interface CodeLocation {
  owner: string;
  name: string;
  commit: string;
  path: string;
  /** First and last line, from 1; `last` is 0 when only one is given. */
  first: number;
  last: number;
  url: string;
}

/** Lookups of rendering, each once for everything that one text names. Left out, nothing is found. */
export interface MarkupLookups {
  /** Which of these names (as written) are users or organizations that may be mentioned; returned as written. */
  mentionable?(names: readonly string[]): Promise<Iterable<string>> | Iterable<string>;
  /** Which of these ids (7 to 64 hex digits, maybe shortened) are commits of the repository; returned as written. */
  commits?(ids: readonly string[]): Promise<Iterable<string>> | Iterable<string>;
  /** Titles by `owner/name#index`, for those the viewer may see. */
  issueTitles?(issues: readonly IssueName[]): Promise<ReadonlyMap<string, IssueTitle>> | ReadonlyMap<string, IssueTitle>;
  /** Trusted HTML by url, for those the viewer may see. */
  codePreviews?(places: readonly CodeLocation[]): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string>;
}

/** Settings of the instance that shape rendering. */
export interface MarkupSettings {
  /** Whether a line end in a comment is a line break; true by default. Outside of comments it never is. */
  breaksInComments?: boolean | undefined;
  /** Characters of one block of code that are highlighted at most; longer ones stay plain. */
  highlightMaxSize?: number | undefined;
  /** Whether `#1` is linked and not only `owner/name#1`; by default in comments and wikis. */
  shortReferences?: boolean | undefined;
  /** Which spellings of formulas are recognized; all false turns mathematics off but for fenced code. */
  math?: MathSyntax | undefined;
  /** Further schemes to link in plain text; when given, only they, http, https and mailto are allowed in links. */
  urlSchemes?: readonly string[] | undefined;
  /** Names of the instance's own emoji. */
  customEmoji?: ReadonlySet<string> | undefined;
  /** Words before a reference that close or reopen an issue. */
  closeKeywords?: readonly string[] | undefined;
  reopenKeywords?: readonly string[] | undefined;
  /** Rewrites the URL of an image or video, for example to a proxy that hides the reader. */
  mediaUrl?: ((url: string) => string) | undefined;
}

/** The spellings of formulas. */
export interface MathSyntax {
  inlineDollar: boolean;
  inlineParentheses: boolean;
  blockDollar: boolean;
  blockSquareBrackets: boolean;
}

/** All that rendering depends on besides the text. */
export interface MarkupContext {
  /** Address of the instance, ending in a slash: `https://host/` or `https://host/path/`. */
  rootUrl: string;
  /** Whether links inside the instance are written with its host. */
  absoluteLinks: boolean;
  origin: MarkupOrigin;
  repository?: MarkupRepository | undefined;
  lookups?: MarkupLookups | undefined;
  settings?: MarkupSettings | undefined;
  /** Threads for texts that take long; without them everything is rendered on the calling thread. */
  workers?: Pick<WorkerPool, 'run'> | undefined;
  /** Milliseconds after which a RenderLimitError is thrown; left out, a text that takes too long comes back as plain text. */
  patience?: number | undefined;
}

/** The request of a caller of `/markup` and `/markdown`. */
export interface MarkupRequest {
  text: string;
  /** `markdown` (or empty), `gfm`, `comment`, `wiki` or `file`. */
  mode: string;
  /** Where the text stands: `/owner/name` or `/owner/name/src/{branch,commit,tag}/{ref}/{folder}`, behind the path of the instance. */
  context: string;
  /** For mode `file`: path of the file in its repository. */
  filePath: string;
}
