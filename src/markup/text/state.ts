import type { CodeLocation, IssueName, IssueTitle, MarkupContext } from '../context.ts';
import { LinkResolver } from '../links.ts';
import { Keywords } from './keywords.ts';
import { schemePattern } from './web-url.ts';

/** What the rules of one text share: its prepared context and the results of its lookups. */
export class TextState {
  readonly context: MarkupContext;
  readonly links: LinkResolver;
  readonly keywords: Keywords;
  readonly schemes: RegExp;
  readonly shortReferences: boolean;
  /** The external tracker's own pattern; undefined when it has none or a broken one. */
  readonly trackerPattern: RegExp | undefined;
  mentionable: ReadonlySet<string> = new Set();
  commits: ReadonlySet<string> = new Set();
  issueTitles: ReadonlyMap<string, IssueTitle> = new Map();
  codePreviews: ReadonlyMap<string, string> = new Map();

  constructor(context: MarkupContext) {
    this.context = context;
    this.links = new LinkResolver(context);
    this.keywords = new Keywords(context.settings);
    this.schemes = context.settings?.urlSchemes?.length ? schemePattern(context.settings.urlSchemes) : WEB;
    this.shortReferences = context.settings?.shortReferences ?? (context.origin.kind === 'comment' || context.origin.kind === 'wiki');
    this.trackerPattern = compile(context.repository?.issueTracker?.pattern);
  }

  /** Whether headings get anchors: in files and wiki pages, which stand alone on their page. */
  get headingAnchors(): boolean {
    return this.context.origin.kind === 'file' || this.context.origin.kind === 'wiki';
  }
}

const WEB = schemePattern();

/** The lookups that a text needs, gathered so that each runs once. */
export class PendingLookups {
  readonly mentions = new Set<string>();
  readonly commits = new Set<string>();
  readonly issues = new Map<string, IssueName>();
  readonly code = new Map<string, CodeLocation>();
}

/** `owner/name#index`. */
export const issueKey = ({ owner, name, index }: IssueName): string => `${owner}/${name}#${index}`;

/** A pattern of the syntax that trackers are set up with (RE2): flags in front and named groups are written otherwise here. */
function compile(pattern: string | undefined): RegExp | undefined {
  if (!pattern) return undefined;
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const source = (flags ? `(?${flags[1]}:${pattern.slice(flags[0].length)})` : pattern).replaceAll('(?P<', '(?<');
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}
