import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** Where hooks belong: to a repository, to a user or an organization, or to the instance. */
export type HookPlace = { repositoryId: number } | { ownerId: number } | { instance: true };

/** Picks the hooks of a place out of `webhooks`. */
export function inPlace(place: HookPlace) {
  return (where: ExpressionBuilder<Tables, 'webhooks'>) => {
    if ('repositoryId' in place) return where('repository_id', '=', place.repositoryId);
    if ('ownerId' in place) return where('owner_id', '=', place.ownerId);
    return where.and([where('repository_id', 'is', null), where('owner_id', 'is', null)]);
  };
}

/** The columns that say where a hook belongs. */
export function placeColumns(place: HookPlace): { repository_id: number | null; owner_id: number | null } {
  return {
    repository_id: 'repositoryId' in place ? place.repositoryId : null,
    owner_id: 'ownerId' in place ? place.ownerId : null,
  };
}
