import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { defaultTree, filesIn } from './files.ts';
import { kindOf } from './kind.ts';
import { readStored, type StoredFile } from './read.ts';
import type { Template } from './read-template.ts';

/** The folders of templates, in this order. */
const FOLDERS = ['', '.gitea/', '.github/', '.gitlab/'].flatMap((place) => [`${place}ISSUE_TEMPLATE`, `${place}issue_template`]);

/** Maximum number of templates in one folder. */
const MAX_FILES = 100;

/** The issue templates of the default branch, and the number of invalid files. */
export async function issueTemplates(context: Context, repository: Repository): Promise<{ templates: Template[]; broken: number }> {
  const found = await defaultTree(context, repository);
  if (!found) return { templates: [], broken: 0 };
  const files: StoredFile[] = [];
  for (const folder of FOLDERS) {
    const entries = await filesIn(context, found.folder, found.tree, folder);
    for (const { name, oid } of entries.filter(({ name }) => kindOf(name)).slice(0, MAX_FILES)) {
      files.push({ kind: 'template', path: `${folder}/${name}`, oid });
    }
  }
  const read = await readStored(context, found.folder, files);
  const templates = read.flatMap((file) => ('template' in file ? file.template : []));
  return { templates, broken: files.length - templates.length };
}
