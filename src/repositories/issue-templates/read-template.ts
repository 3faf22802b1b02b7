import type { Shape } from '../../http/schema.ts';
import { TemplateError } from './error.ts';
import { readFields } from './form.ts';
import { kindOf } from './kind.ts';
import type { IssueTemplate } from './schema.ts';
import { parseYaml } from './yaml.ts';

/** A template for new issues. */
export type Template = Shape<typeof IssueTemplate>;

/** Length of the text that describes a template without a description. */
const ABOUT_LENGTH = 80;

/**
 * Parses a template.
 * @throws TemplateError for an invalid one
 */
export function readTemplate(fileName: string, text: string): Template {
  const name = fileName.slice(fileName.lastIndexOf('/') + 1);
  const template = kindOf(name) === 'markdown' ? markdownTemplate(name, text) : formTemplate(parseYaml(text));
  if (template.name.trim() === '') throw new TemplateError("'name' is required");
  if (template.about.trim() === '') throw new TemplateError("'about' is required");
  // A plain word is a branch.
  const ref = template.ref.startsWith('refs/') ? template.ref : `refs/heads/${template.ref}`;
  return { ...template, ref, file_name: fileName };
}

/** Markdown with front matter; without it the whole file is the text. */
function markdownTemplate(name: string, text: string): Template {
  const parts = frontMatter(text.replace(/\r\n/g, '\n'));
  if (!parts) {
    const about = text.length > ABOUT_LENGTH ? `${text.slice(0, ABOUT_LENGTH - 1)}…` : text;
    return { ...metadata({}), name, about, content: text };
  }
  return { ...metadata(parts.values), content: parts.rest };
}

function frontMatter(text: string): { values: Record<string, unknown>; rest: string } | undefined {
  const match = /^ *-{3,} *\n([\s\S]*?)^ *-{3,} *(?:\n|$)/my.exec(text);
  if (!match) return undefined;
  try {
    return { values: parseYaml(match[1] ?? ''), rest: text.slice(match[0].length) };
  } catch (error) {
    // Two rules with text between them are not front matter.
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

function formTemplate(values: Record<string, unknown>): Template {
  return { ...metadata(values), body: readFields(values.body) };
}

function metadata(values: Record<string, unknown>): Template {
  const text = (key: string) => {
    const value = values[key];
    if (value === undefined || value === null) return '';
    if (typeof value === 'object') throw new TemplateError(`'${key}' should be a string`);
    return String(value);
  };
  return {
    name: text('name'),
    title: text('title'),
    about: text('about') || text('description'),
    labels: words('labels', values.labels),
    assignees: words('assignees', values.assignees),
    ref: text('ref'),
    content: '',
    body: null,
    file_name: '',
  };
}

/** A list, or a text with commas. */
function words(key: string, value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'object') throw new TemplateError(`'${key}' should be a list`);
  const list = String(value)
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return list.length > 0 ? list : null;
}
