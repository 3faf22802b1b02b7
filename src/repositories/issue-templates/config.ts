import type { Context } from '../../context.ts';
import { findEntry } from '../../git/trees.ts';
import type { Shape } from '../../http/schema.ts';
import type { Repository } from '../find.ts';
import { defaultTree, isMapping, parseYaml, TemplateError, textOf } from './files.ts';
import type { IssueConfig } from './schema.ts';

type Config = Shape<typeof IssueConfig>;

/** Where the file is looked for; the first that is there counts. */
const PLACES = ['.gitea/ISSUE_TEMPLATE/', '.gitea/issue_template/', '.github/ISSUE_TEMPLATE/', '.github/issue_template/'].flatMap(
  (folder) => [`${folder}config.yaml`, `${folder}config.yml`],
);

const DEFAULT: Config = { blank_issues_enabled: true, contact_links: [] };

/** What a repository says of new issues, and what is wrong with it; what is wrong counts as not said. */
export async function issueConfig(context: Context, repository: Repository): Promise<{ config: Config; problem: string }> {
  const found = await defaultTree(context, repository);
  if (!found) return { config: DEFAULT, problem: '' };
  for (const path of PLACES) {
    const entry = await findEntry(found.folder, context.git.pool, found.tree, path);
    if (entry?.type !== 'blob') continue;
    try {
      return { config: readConfig(await textOf(context, found.folder, entry)), problem: '' };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return { config: DEFAULT, problem: error.message };
    }
  }
  return { config: DEFAULT, problem: '' };
}

function readConfig(text: string): Config {
  const { blank_issues_enabled: blank = true, contact_links: links } = parseYaml(text);
  if (typeof blank !== 'boolean') throw new TemplateError('blank_issues_enabled is not true or false');
  if (links === undefined || links === null) return { blank_issues_enabled: blank, contact_links: [] };
  if (!Array.isArray(links)) throw new TemplateError('contact_links is not a list');
  return { blank_issues_enabled: blank, contact_links: links.map(readLink) };
}

function readLink(link: unknown, index: number): Config['contact_links'][number] {
  const key = (name: string) => {
    const value = isMapping(link) ? link[name] : undefined;
    if (value === undefined || value === null || value === '') {
      throw new TemplateError(`contact_link at position ${index + 1} is missing ${name} key`);
    }
    return String(value);
  };
  const read = { name: key('name'), url: key('url'), about: key('about') };
  if (!URL.canParse(read.url) && !read.url.startsWith('/')) throw new TemplateError(`${read.url} is not a valid URL`);
  return read;
}
