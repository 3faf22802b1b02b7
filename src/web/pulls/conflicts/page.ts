import { notArchived, signedIn } from '../../../access/requirements.ts';
import type { Context } from '../../../context.ts';
import { HttpError } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { type PullConflicts, pullConflicts, resolveConflicts } from '../../../pulls/conflicts/conflicts.ts';
import type { Pull } from '../../../pulls/find.ts';
import { pullsOn } from '../../../pulls/requirements.ts';
import { mayChangeHead } from '../../../pulls/update/change-head.ts';
import { fault } from '../../components/fault.ts';
import { postForm } from '../../components/form.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { readConversation } from '../../issues/conversation.ts';
import { issuePath } from '../../issues/paths.ts';
import { seeOther } from '../../page.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import { pullDocument } from '../document.ts';
import { pullOfVisit } from '../pull-in.ts';

/** Size limit of the form, in bytes: the files in conflict, each byte of which takes up to three when escaped. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The conflicts of a pull request, and a form in which those of lines are resolved. */
export const conflictPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/pulls/:index(^[0-9]+$)/conflicts',
  needs: [...pullsOn, signedIn],
  semaphore: 'renders',
  maxBytes: () => MAX_BYTES,
  get: (visit, context) => conflictsPage(visit, context),
  postNeeds: [notArchived],
  post: async (visit, context) => {
    const { fields, view } = visit;
    const pull = await pullOfVisit(visit, context);
    const typed = typedTexts(visit);
    try {
      await resolveConflicts(context, pull, { base: fields.get('base') ?? '', head: fields.get('head') ?? '', texts: typed });
    } catch (error) {
      if (!(error instanceof HttpError) || error.status === 404) throw error;
      return conflictsPage(visit, context, { problem: error, typed });
    }
    return seeOther(context, issuePath(view, pull.issue).slice(view.root.length));
  },
});

/** The files that were sent. Browsers end lines in their own way; a file keeps its own. */
function typedTexts({ fields }: RepositoryVisit): Map<string, string> {
  const texts = fields.all('text');
  const ends = fields.all('end');
  return new Map(
    fields.all('path').map((path, at) => {
      const text = (texts[at] ?? '').replaceAll('\r\n', '\n');
      return [path, ends[at] === 'crlf' ? text.replaceAll('\n', '\r\n') : text] as const;
    }),
  );
}

interface Again {
  readonly problem: HttpError;
  readonly typed: ReadonlyMap<string, string>;
}

async function conflictsPage(visit: RepositoryVisit, context: Context, again?: Again): Promise<Document> {
  const { view } = visit;
  const { merging: text } = view.text;
  const pull = await pullOfVisit(visit, context);
  const conversation = await readConversation(visit, context, pull.issue);
  const isOpen = !pull.issue.is_closed;
  const found = isOpen ? await pullConflicts(context, pull) : undefined;
  const mayResolve = isOpen && (await mayChangeHead(context, pull, { rewrites: false }));
  return pullDocument(visit, context, {
    pull,
    conversation,
    current: 'conversation',
    scripts: ['pull.js'],
    layout: 'wide',
    status: again ? 422 : 200,
    body: html`<h3>${text.conflictsTitle}</h3>${again && fault(view, again.problem.message)}
${bodyOf(visit, pull, { found, mayResolve, again, path: conversation.path })}`,
  });
}

function bodyOf(
  { view }: RepositoryVisit,
  pull: Pull,
  { found, mayResolve, again, path }: { found: PullConflicts | undefined; mayResolve: boolean; again: Again | undefined; path: string },
): Html {
  const { merging: text, common } = view.text;
  if (!found || found.files.length === 0) return html`<p class="empty">${text.noConflicts} <a href="${path}">#${pull.number}</a></p>`;
  if (!found.isSimple) {
    const hard = found.files.filter((file) => file.text === undefined).map((file) => html`<li>${file.path}</li>`);
    return html`<p>${text.notSimple}</p><ul class="mono">${hard}</ul>${commands(view.text.merging.onYourMachine, pull)}`;
  }
  if (!mayResolve) return html`<p>${text.mayNotPush}</p><ul class="mono">${found.files.map((file) => html`<li>${file.path}</li>`)}</ul>`;
  const fields = html`<input type="hidden" name="base" value="${found.base}"><input type="hidden" name="head" value="${found.head}">
${found.files.map((file, at) => fileEditor({ path: file.path, text: again?.typed.get(file.path) ?? file.text ?? '' }, at, text))}
<div class="buttons"><button class="primary">${icon(view, 'git-merge')} ${text.commitMerge}</button> <a class="button" href="${path}">${common.cancel}</a></div>`;
  return html`<p>${text.conflictsHint(pull.base_branch, pull.head_branch)}</p><p class="muted">${text.conflictMarkers}</p>
${postForm(view, fields, { action: `${path}/conflicts`, className: 'conflicts' })}`;
}

function fileEditor({ path, text }: { path: string; text: string }, at: number, words: RepositoryVisit['view']['text']['merging']): Html {
  const isCrlf = text.split('\r\n').length * 2 > text.split('\n').length;
  const choice = (side: string, label: string) => html`<button type="button" data-conflict="${side}">${label}</button>`;
  return html`<section class="box conflict" aria-label="${path}"><header class="row"><label class="mono" for="conflict-${at}">${path}</label>
<span class="push row with-script" hidden>${choice('head', words.keepHead)}${choice('base', words.keepBase)}${choice('both', words.keepBoth)}</span></header>
<input type="hidden" name="path" value="${path}"><input type="hidden" name="end" value="${isCrlf ? 'crlf' : 'lf'}">
<textarea id="conflict-${at}" name="text" rows="${Math.min(30, Math.max(8, text.split('\n').length))}" spellcheck="false" class="mono">
${text}</textarea></section>`;
}

function commands(label: string, { head_branch: head, base_branch: base }: Pull): Html {
  const quote = (name: string) => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`);
  return html`<p>${label}</p><pre class="box content" tabindex="0">git fetch origin
git checkout ${quote(head)}
git merge ${quote(`origin/${base}`)}
git push origin ${quote(head)}</pre>`;
}
