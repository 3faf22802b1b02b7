import type { Shape } from '../../http/schema.ts';
import { TemplateError } from './error.ts';
import { isMapping } from './mapping.ts';
import type { IssueConfig } from './schema.ts';
import { parseYaml } from './yaml.ts';

/** A repository's configuration of new issues. */
export type Config = Shape<typeof IssueConfig>;

/**
 * Parses a repository's configuration of new issues.
 * @throws TemplateError for an invalid one
 */
export function readConfig(text: string): Config {
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
