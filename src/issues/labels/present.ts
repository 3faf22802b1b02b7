import type { Context } from '../../context.ts';
import type { LabelRow } from '../../database/tables/issues.ts';
import type { Shape } from '../../http/schema.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { joined } from '../../text/joined.ts';
import type { Label } from './schema.ts';

/** The owner of a label as its URL names it: a repository, or the organization. */
export interface LabelOwnerNames {
  owner: { name: string };
  name: string;
}

/** A label on the wire. */
export function presentLabel({ settings }: Pick<Context, 'settings'>, label: LabelRow, names: LabelOwnerNames): Shape<typeof Label> {
  const home =
    label.repository_id === null
      ? `${settings.server.rootUrl}api/v1/orgs/${encodeURIComponent(names.owner.name)}`
      : repositoryApiUrl(settings, names);
  return {
    id: label.id,
    name: label.name,
    exclusive: label.is_exclusive,
    is_archived: label.archived_at !== null,
    color: label.color,
    description: label.description,
    url: joined(home, '/labels/', label.id),
  };
}

/** Presented labels, the first created first; everywhere else they are sorted by name. */
export function inOrderOfCreation<L extends { id: number }>(labels: readonly L[]): L[] {
  return labels.toSorted((a, b) => a.id - b.id);
}

/** The exclusive scope of a label's name: an issue has at most one label of each; empty for none. */
export function exclusiveScope({ name, is_exclusive: isExclusive }: Pick<LabelRow, 'name' | 'is_exclusive'>): string {
  const slash = name.lastIndexOf('/');
  return isExclusive && slash > 0 && slash < name.length - 1 ? name.slice(0, slash) : '';
}
