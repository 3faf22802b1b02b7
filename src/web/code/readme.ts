import type { Content } from '../../code/contents/contents.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import { fileKind } from '../../markup/file-kind.ts';
import { renderFile } from '../../markup/markup.ts';
import { markupContext } from '../../rendering/lookups.ts';
import { prose } from '../components/prose.ts';
import { type Html, html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { readmeEditLink } from './edit/links.ts';
import { codePath, type Location } from './location.ts';

/** Longer files are only shown on their own page. */
const MAX_README = 512 * 1024;

/** The README of a folder, if there is one: Markdown before other formats. */
export function findReadme(entries: readonly Content[]): Content | undefined {
  const found = entries.filter(({ kind, name }) => kind === 'file' && /^readme(?:\.[a-z]+)?$/i.test(name));
  return found.find(({ name }) => fileKind(name) === 'markdown') ?? found.find(({ name }) => fileKind(name) !== undefined) ?? found[0];
}

/** A text file as shown to readers: rendered if its format is known, else as source. */
export async function renderText(visit: RepositoryVisit, context: Context, location: Location, text: string): Promise<Html> {
  return (await renderKnown(visit, context, location, text)) ?? html`<pre class="plain-text" tabindex="0">${text}</pre>`;
}

/** The rendered text file; undefined if its format cannot be rendered. */
export async function renderKnown(visit: RepositoryVisit, context: Context, location: Location, text: string): Promise<Html | undefined> {
  const { kind, name, path } = location;
  const { repository, access } = visit;
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const known = await markupContext(context, { repository, access }, { titles: true });
  const origin = { kind: 'file', ref: `${kind}/${escapePath(name)}`, folder, path } as const;
  const rendered = await renderFile(text, path, { ...known, absoluteLinks: false, origin });
  return rendered && prose(visit.view, rendered.html);
}

/** The box of a folder's README. */
export async function readmeBox(visit: RepositoryVisit, context: Context, location: Location, readme: Content): Promise<Html | false> {
  const { pool } = context.git;
  const blob = await pool.read(context.git.locate(location.repository), readme.oid, { maxSize: MAX_README });
  if (!blob) return false;
  const at = { ...location, path: readme.path };
  return html`<section class="box" aria-label="${readme.name}"><header><a class="plain" href="${codePath(visit.view, 'src', at)}"><strong>${readme.name}</strong></a>${readmeEditLink(visit, at)}</header>
<div class="content">${await renderText(visit, context, at, blob.data.toString('utf8'))}</div></section>`;
}
