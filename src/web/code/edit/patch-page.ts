import { patchContents } from '../../../code/contents/change.ts';
import type { Context } from '../../../context.ts';
import { unprocessable } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { postForm } from '../../components/form.ts';
import type { Document } from '../../document.ts';
import { html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { afterCommit, commit } from './commit.ts';
import { type CommitInput, commitFields, initialInput, readInput } from './commit-fields.ts';
import { editorAssets, textEditor } from './editor.ts';
import { backPath, editDocument, editorPage, formButtons, orAgain } from './frame.ts';
import type { WritableLocation } from './location.ts';

/** Applying a patch to a branch. */
export const patchPages: readonly AnyRoute[] = editorPage('_diffpatch', {
  show: async (visit, context, location) => form(visit, context, location, { input: initialInput(location), patch: '' }),
  send: async (visit, context, location) => {
    const input = readInput(visit.fields);
    const patch = (visit.fields.get('content') ?? '').replaceAll('\r\n', '\n');
    return orAgain(
      async () => {
        if (patch.trim() === '') throw unprocessable(visit.view.text.edit.noPatch);
        const made = await commit(visit, context, location, { input, message: 'Apply patch' }, (repository, access, target) =>
          patchContents(context, repository, access, target, patch.endsWith('\n') ? patch : `${patch}\n`),
        );
        return afterCommit(visit, context, location, made, '');
      },
      (problem) => form(visit, context, location, { input, patch, problem }),
    );
  },
});

async function form(
  visit: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  { input, patch, problem }: { input: CommitInput; patch: string; problem?: string },
): Promise<Document> {
  const { view } = visit;
  const { edit: text } = view.text;
  const body = html`${textEditor(view, { name: 'content', label: text.patch, value: patch, path: 'changes.patch' })}
${await commitFields(visit, context, location, input, 'Apply patch')}
${formButtons(visit, text.applyPatch, backPath(visit, location))}`;
  return editDocument(visit, context, location, {
    title: text.applyPatch,
    problem,
    ...(await editorAssets()),
    body: html`<p class="muted">${text.patchHint}</p>${postForm(view, body, { className: 'edit-form' })}`,
  });
}
