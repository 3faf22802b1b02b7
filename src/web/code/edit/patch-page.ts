import { patchContents } from '../../../code/contents/change.ts';
import type { Context } from '../../../context.ts';
import { unprocessable } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { postForm } from '../../components/form.ts';
import type { Document } from '../../document.ts';
import { html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { afterCommit, commit } from './commit.ts';
import { type CommitWish, commitFields, freshWish, readWish } from './commit-fields.ts';
import { editorAssets, textEditor } from './editor.ts';
import { backPath, editDocument, editorPage, formButtons, orAgain } from './frame.ts';
import type { WritablePlace } from './place.ts';

/** Applying a patch to a branch. */
export const patchPages: readonly AnyRoute[] = editorPage('_diffpatch', {
  show: async (visit, context, place) => form(visit, context, place, { wish: freshWish(place), patch: '' }),
  send: async (visit, context, place) => {
    const wish = readWish(visit.fields);
    const patch = (visit.fields.get('content') ?? '').replaceAll('\r\n', '\n');
    return orAgain(
      async () => {
        if (patch.trim() === '') throw unprocessable(visit.view.text.edit.noPatch);
        const made = await commit(visit, context, place, { wish, message: 'Apply patch' }, (repository, access, target) =>
          patchContents(context, repository, access, target, patch.endsWith('\n') ? patch : `${patch}\n`),
        );
        return afterCommit(visit, context, place, made, '');
      },
      (problem) => form(visit, context, place, { wish, patch, problem }),
    );
  },
});

async function form(
  visit: RepositoryVisit,
  context: Context,
  place: WritablePlace,
  { wish, patch, problem }: { wish: CommitWish; patch: string; problem?: string },
): Promise<Document> {
  const { view } = visit;
  const { edit: text } = view.text;
  const body = html`${textEditor(view, { name: 'content', label: text.patch, value: patch, path: 'changes.patch' })}
${await commitFields(visit, context, place, wish, 'Apply patch')}
${formButtons(visit, text.applyPatch, backPath(visit, place))}`;
  return editDocument(visit, context, place, {
    title: text.applyPatch,
    problem,
    ...(await editorAssets()),
    body: html`<p class="muted">${text.patchHint}</p>${postForm(view, body, { className: 'edit-form' })}`,
  });
}
