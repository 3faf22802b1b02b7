import { feature } from '../feature.ts';
import { readableRelease } from './assets/reading.ts';
import { announceDeletedTag, followTags, keepNameOfRelease, keepTagOfRelease, prepareTags } from './follow-tags.ts';
import { releaseRoutes } from './routes.ts';

export const releases = feature({
  name: 'releases',
  routes: releaseRoutes,
  within: {
    'refs.changed': followTags,
    'tag.creating': keepNameOfRelease,
    'tag.deleting': keepTagOfRelease,
    'tag.deleted': announceDeletedTag,
  },
  provides: { findRepositoryOfRelease: readableRelease, prepareMovedTags: prepareTags },
});
