import type { Context } from '../../context.ts';
import { renderMarkdown } from '../../markup/markup.ts';
import { markupContext } from '../../rendering/lookups.ts';
import { prose } from '../components/prose.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** Length limit of short and long texts in characters. */
const MAX_TEXT = 2000;
const MAX_README = 256 * 1024;

/** The description of a package, and its README. */
export async function aboutBox(view: View, context: Context, metadata: Metadata): Promise<Html | false> {
  const summary = textOf(metadata, 'summary', 'description', 'title').slice(0, MAX_TEXT);
  const readme = textOf(metadata, 'readme', 'long_description').slice(0, MAX_README);
  if (summary === '' && readme === '') return false;
  const known = readme !== '' && (await markupContext(context));
  const rendered =
    known && prose(view, await renderMarkdown(readme, { ...known, absoluteLinks: false, origin: { kind: 'document', base: '' } }));
  return html`<section class="box" aria-labelledby="about"><header><h2 id="about">${view.text.packages.about}</h2></header>
<div class="content">${summary && html`<p class="package-name">${summary}</p>`}${rendered}</div></section>`;
}

/** Its authors, its license and its links; links outside the web are left out. */
export function aboutFacts({ text: { packages: text } }: View, metadata: Metadata): Html {
  const license = textOf(metadata, 'license').slice(0, MAX_TEXT);
  const author = textOf(metadata, 'author', 'authors', 'maintainer').slice(0, MAX_TEXT);
  const links = [
    [text.homepage, textOf(metadata, 'homepage', 'project_url', 'projectUrl', 'url')],
    [text.repository, textOf(metadata, 'repository_url', 'repositoryUrl', 'repository')],
    [text.documentation, textOf(metadata, 'documentation_url', 'documentation')],
  ] as const;
  return html`${license && html`<li>${text.license}: ${license}</li>`}${author && html`<li>${text.author}: ${author}</li>`}
${links.map(([label, url]) => /^https?:\/\//i.test(url) && html`<li><a rel="nofollow noopener" href="${url}">${label}</a></li>`)}`;
}

/** The first of these that is a text: formats name the same in different ways. */
function textOf(metadata: Metadata, ...names: readonly string[]): string {
  for (const name of names) {
    const value = metadata[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return '';
}
