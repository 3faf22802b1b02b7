import { findUserById } from '../access/find-user.ts';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { Events } from '../events/events.ts';
import { feature } from '../feature.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { removeBytes } from '../jobs/remove-bytes.ts';
import { packageRoutes } from './api/routes.ts';
import { collectPackages } from './blobs/collect.ts';
import { cleanupRoutes } from './cleanup/routes.ts';
import { applyRules } from './cleanup/run.ts';
import { containerInstanceRoutes } from './container/instance-routes.ts';
import { formats, formatsByType } from './formats.ts';
import { buildIndexes, prepareIndex } from './indexes/build.ts';
import { markIndexesOf } from './indexes/mark.ts';
import { deletePackagesOf, refuseOwner } from './owners/deletion.ts';
import { unlinkAll } from './owners/links.ts';
import { routesOf } from './protocol/routes.ts';
import { resumeDeletion } from './registry/delete-package.ts';
import { endFetches } from './upstreams/end-fetches.ts';
import { evictUnused } from './upstreams/evict.ts';
import { upstreamRoutes } from './upstreams/routes.ts';
import { removeSpooled } from './upstreams/spool.ts';

export const packages = feature({
  name: 'packages',
  routes: [...packageRoutes, ...cleanupRoutes(formatsByType), ...upstreamRoutes, ...formats.flatMap(routesOf), ...containerInstanceRoutes],
  within: {
    'package.deleting': noteDeletion,
    'repository.deleted': unlinkAll,
    'user.purging': deletePackagesOf,
    'user.deleting': refuseOwner,
    'user.renamed': markIndexesOf,
  },
  jobs: {
    'packages.index': { run: buildMarked, queue: 'cleanup', deadline: 3600 },
    'packages.delete': { run: resumeDeletion, queue: 'cleanup', deadline: 3600 },
    'packages.remove-bytes': { run: removeBytes, queue: 'cleanup' },
  },
  schedules: { cleanup_packages: cleanUp },
  recover: removeSpooled,
  listen: endFetches,
});

async function cleanUp(context: Context, signal: AbortSignal): Promise<void> {
  await applyRules(context, formatsByType, signal);
  const before = now() - Math.ceil(context.settings.packages.unlinkedExpiry / 1000);
  for (const format of formats) await format.cleanup?.(context, before, signal);
  await evictUnused(context, signal);
  await collectPackages(context, signal);
}

async function noteDeletion(event: Events['package.deleting'], context: Context): Promise<void> {
  await formatsByType.get(event.type)?.deleting?.(event, context);
}

/** Seconds until a document that is served from its parts is written as a file. */
const FILE_DELAY = 9;

async function buildMarked({ ownerId, type, key, isLate = false }: Jobs['packages.index'], context: Context): Promise<void> {
  const builder = formatsByType.get(type)?.index;
  const owner = await findUserById(context.db, ownerId);
  if (!builder || !owner) return;
  if (isLate) return await buildIndexes(context, builder, { owner, type }, [key]);
  if (await prepareIndex(context, builder, { owner, type }, key)) return;
  const late = { ownerId, type, key, isLate: true } as const;
  await context.jobs.add(context, 'packages.index', late, { key: `${ownerId} ${type} ${key} late`, delay: FILE_DELAY });
}
