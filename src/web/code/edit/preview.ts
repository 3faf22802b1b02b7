import { withChangedTree } from '../../../code/contents/preview.ts';
import type { Context } from '../../../context.ts';
import { cleanFilePath } from '../../../git/trees/file-paths.ts';
import { unprocessable } from '../../../http/errors.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { diffView } from '../diff/diff-view.ts';
import { openDiff } from '../diff/source.ts';
import { renderKnown } from '../readme.ts';
import type { EditLocation } from './location.ts';
import type { Original } from './original.ts';

/** A file as the user typed it. */
export interface TypedFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly original: Original | undefined;
}

/** The changes of a form: the rendered text if its format is known, and the diff. */
export async function previewOf(visit: RepositoryVisit, context: Context, location: EditLocation, typed: TypedFile): Promise<Html> {
  const { view } = visit;
  const { edit: text } = view.text;
  const path = cleanFilePath(typed.path);
  if (path === undefined) throw unprocessable(text.badPath);
  const { repository, branch, commit } = location;
  const at = commit && ({ repository, kind: 'branch', name: branch, commit, path } as const);
  const rendered = at && (await renderKnown(visit, context, at, typed.bytes.toString('utf8')));
  return html`${rendered && html`<section class="box" aria-label="${text.rendered}"><header><h3 class="bar-title">${text.rendered}</h3></header><div class="content">${rendered}</div></section>`}
<h3 class="bar-title">${text.changes}</h3>${await difference(visit, context, location, { ...typed, path })}`;
}

async function difference(
  { view }: RepositoryVisit,
  context: Context,
  location: EditLocation,
  { path, bytes, original }: TypedFile,
): Promise<Html> {
  const { repository, commit } = location;
  const folder = context.git.locate(repository);
  const file = {
    path,
    content: bytes,
    ...(original && { fromPath: location.path, mode: original.isExecutable ? ('100755' as const) : ('100644' as const) }),
  };
  return await withChangedTree(context, folder, commit?.tree ?? null, file, async (tree, within) => {
    const source = { base: { repository, commit: commit?.oid }, head: { repository, commit: tree }, within };
    const diff = await openDiff(context, source, { whitespace: undefined, file: path, context: 3 });
    const parts: Html[] = [];
    for await (const part of diffView(view, context, diff, { style: 'unified', isPreview: true })) parts.push(part);
    return html`${parts}`;
  });
}
