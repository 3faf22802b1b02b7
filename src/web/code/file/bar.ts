import type { Context } from '../../../context.ts';
import { fileKind } from '../../../markup/file-kind.ts';
import { bytes } from '../../components/numbers.ts';
import { withParameter } from '../../components/pages.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon, type View } from '../../view.ts';
import { fileEditLinks } from '../edit/links.ts';
import { codePath, type Location } from '../location.ts';
import type { FileContent } from './content.ts';
import { isTable } from './table.ts';

/** Whether a file can be shown both rendered and as source. */
export function hasRendering({ path }: Location, { decoded, media }: FileContent): boolean {
  if (decoded === undefined) return false;
  return media === 'image' || /\.ipynb$/i.test(path) || isTable(path) || fileKind(path, decoded.text) !== undefined;
}

/** The facts and actions of a file. */
export function fileBar(visit: RepositoryVisit, _context: Context, location: Location, content: FileContent, isSource: boolean): Html {
  const { view } = visit;
  const { text } = view;
  const permalink = codePath(view, 'src', { ...location, kind: 'commit', name: location.commit.oid });
  const page = (name: string, label: string) => html`<a class="button" href="${codePath(view, name, location)}">${label}</a>`;
  return html`<div class="row file-bar">
${hasRendering(location, content) && switchOf(view, isSource)}
<span class="muted facts-line">${factsOf(view, content)}</span>
<span class="push row">
${page(content.lfs ? 'media' : 'raw', text.code.raw)}
<a class="button" href="${permalink}" data-key="y" title="y">${text.code.permalink}</a>
${content.decoded !== undefined && !content.isLink && page('blame', text.code.blame)}
${page('commits', text.code.history)}
${fileEditLinks(visit, location)}
<button type="button" data-copy="${location.path}" data-copied="${text.common.copied}" aria-label="${text.code.copyPath}">${icon(view, 'copy')}</button>
<a class="button" download href="${codePath(view, content.lfs ? 'media' : 'raw', location)}" aria-label="${text.code.download}">${icon(view, 'download')}</a>
</span></div>`;
}

function switchOf(view: View, isSource: boolean): Html {
  const { text } = view;
  const link = (value: string | undefined, label: string, isCurrent: boolean) =>
    html`<a class="button" href="${withParameter(view, 'display', value)}"${isCurrent && html` aria-current="true"`}>${label}</a>`;
  return html`<span class="switch">${link(undefined, text.code.rendered, !isSource)}${link('source', text.code.source, isSource)}</span>`;
}

function factsOf(view: View, { decoded, size, lfs, isLink, isExecutable }: FileContent): string {
  const { text } = view;
  const lines = decoded && !isLink && decoded.text.split('\n').length - (decoded.text.endsWith('\n') ? 1 : 0);
  const facts = [
    isLink && text.code.symbolicLink,
    lines && text.code.lines(lines),
    bytes(view, size),
    decoded && decoded.encoding !== 'UTF-8' && decoded.encoding,
    isExecutable && text.code.executable,
    lfs && text.code.storedWithLfs,
  ];
  return facts.filter(Boolean).join(' · ');
}
