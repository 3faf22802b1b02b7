import type { ActionPermissions } from '../../../database/tables/actions.ts';
import type { Tree } from './tree.ts';

/** The units that the token of a job can have access to. */
const UNITS = ['code', 'issues', 'pulls', 'packages', 'actions', 'wiki', 'releases', 'projects'] as const;
/** Words of workflows that have other names here. */
const NAMES: Readonly<Record<string, string>> = { 'pull-requests': 'pulls' };

type Level = 'none' | 'read' | 'write';

/** The permissions that a workflow or a job declares for its token, by unit; null where it declares none. */
export function readPermissions(tree: Tree | undefined): ActionPermissions | null {
  if (!tree || tree.kind === 'list' || (tree.kind === 'scalar' && tree.text === '')) return null;
  if (tree.kind === 'scalar') return everywhere(tree.text === 'write-all' ? 'write' : tree.text === 'read-all' ? 'read' : 'none');
  const found: Record<string, Level> = { ...everywhere('none') };
  const contents = tree.entries.get('contents');
  if (contents) found.code = found.releases = levelOf(contents);
  for (const [scope, value] of tree.entries) {
    const unit = NAMES[scope] ?? scope;
    if (unit in found && value.kind === 'scalar') found[unit] = levelOf(value);
  }
  return found;
}

function everywhere(level: Level): Record<string, Level> {
  return Object.fromEntries(UNITS.map((unit) => [unit, level]));
}

function levelOf(tree: Tree): Level {
  const text = tree.kind === 'scalar' ? tree.text : '';
  return text === 'write' || text === 'read' ? text : 'none';
}
