import type { ChangedFile } from '../../../git/diff/changes.ts';
import type { IconName } from '../../assets/icon-names.ts';
import { type Html, html } from '../../html.ts';
import { icon, type View } from '../../view.ts';
import { diffAnchor } from './source.ts';

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: { name: string; file: ChangedFile }[];
}

/** Deeper folders are shown by their path. */
const MAX_DEPTH = 12;

const ICONS: Readonly<Record<ChangedFile['status'], IconName>> = {
  added: 'diff-added',
  removed: 'diff-removed',
  modified: 'diff-modified',
  renamed: 'diff-renamed',
  copied: 'diff-renamed',
  retyped: 'diff-modified',
};

/** The changed files as a tree of links to their sections, in pieces: there may be thousands. */
export function* fileTree(view: View, files: readonly ChangedFile[]): Generator<Html> {
  const root: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const names = file.path.split('/');
    let folder = root;
    for (const name of names.slice(0, Math.min(names.length - 1, MAX_DEPTH))) {
      const next = folder.folders.get(name) ?? { folders: new Map(), files: [] };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push({ name: names.slice(Math.min(names.length - 1, MAX_DEPTH)).join('/'), file });
  }
  yield html`<nav class="diff-tree" aria-label="${view.text.diff.changedFiles}">`;
  yield* listOf(view, root);
  yield html`</nav>`;
}

function* listOf(view: View, { folders, files }: Folder): Generator<Html> {
  yield html`<ul>`;
  for (const [name, folder] of folders) yield* folderItem(view, name, folder);
  for (const { name, file } of files) yield fileItem(view, name, file);
  yield html`</ul>`;
}

/** A folder that only contains one folder is merged with it. */
function* folderItem(view: View, name: string, folder: Folder): Generator<Html> {
  const [only] = folder.folders;
  if (only && folder.folders.size === 1 && folder.files.length === 0) {
    yield* folderItem(view, `${name}/${only[0]}`, only[1]);
    return;
  }
  yield html`<li><details open><summary>${icon(view, 'file-directory-fill')} ${name}</summary>`;
  yield* listOf(view, folder);
  yield html`</details></li>`;
}

function fileItem(view: View, name: string, { path, status, additions, deletions }: ChangedFile): Html {
  return html`<li><a href="#${diffAnchor(path)}">${icon(view, ICONS[status], view.text.diff[status])} <span class="name">${name}</span>
<span class="counts"><span class="plus">+${additions}</span> <span class="minus">−${deletions}</span></span></a></li>`;
}
