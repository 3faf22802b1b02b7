import { fullName } from '../../access/requirements.ts';
import type { SearchResult } from '../../search/find/search.ts';
import type { ShownLine } from '../../search/find/show-task.ts';
import { GENERATED, VENDORED } from '../../search/index/format.ts';
import { codePath } from '../code/location.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon, type View } from '../view.ts';

/** The files that a search found, each with its lines. */
export function resultList(view: View, results: readonly SearchResult[], withRepository: boolean): Html {
  return html`${results.map((result) => resultBox(view, result, withRepository))}`;
}

function resultBox(view: View, result: SearchResult, withRepository: boolean): Html {
  const { search } = view.text;
  const { repository, path, commitId, language, flags, lines, count } = result;
  const href = codePath(view, 'src', { repository, kind: 'commit', name: commitId, path });
  const shown = lines.reduce((sum, { matches }) => sum + matches.length, 0);
  return html`<article class="box code-result" aria-label="${path}"><header class="row">
${withRepository && html`<a href="${repositoryPath(view, repository)}">${icon(view, 'repo')} ${fullName(repository)}</a>`}
<a class="mono path" href="${href}">${path}</a>
${(flags & GENERATED) !== 0 && html`<span class="badge">${search.generated}</span>`}
${(flags & VENDORED) !== 0 && html`<span class="badge">${search.vendored}</span>`}
<span class="push muted">${language}</span></header>
${lines.length > 0 && html`<div class="code-lines">${lines.map((line, at) => lineRow(view, href, line, lines[at - 1]))}</div>`}
${count > shown && html`<p class="muted more"><a href="${href}">${search.moreInFile}</a> · ${search.places(count)}</p>`}</article>`;
}

/** A gap between lines is shown as one. */
function lineRow(view: View, href: string, line: ShownLine, before: ShownLine | undefined): Html {
  const { number } = line;
  const isApart = before !== undefined && before.number + 1 < number;
  return html`<div class="${isApart ? 'line apart' : 'line'}"><a href="${href}#L${number}" aria-label="${view.text.search.line(String(number))}">${number}</a><code>${marked(line)}</code></div>`;
}

/** The text of a line, with its matches marked. */
function marked({ text, matches, isCut }: ShownLine): Html {
  const parts: (Html | string)[] = [];
  let at = 0;
  for (const { start, end } of matches) {
    parts.push(text.slice(at, start), html`<mark>${text.slice(start, end)}</mark>`);
    at = end;
  }
  return html`${[...parts, text.slice(at), isCut && html`<span class="muted"> …</span>`]}`;
}
