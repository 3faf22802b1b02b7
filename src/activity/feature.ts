import { brief } from '../events/together.ts';
import { each, feature } from '../feature.ts';
import { deleteActivitiesOf, deleteOldActivities } from './delete.ts';
import { recordComment, recordIssue, recordMerge, recordRefs, recordRelease, recordRepository, recordReview } from './record.ts';
import { activityRoutes } from './routes.ts';
import { codeFeedRoutes } from './syndication/code-routes.ts';
import { activityFeedRoutes } from './syndication/routes.ts';

export const activity = feature({
  name: 'activity',
  routes: [...activityRoutes, ...activityFeedRoutes, ...codeFeedRoutes],
  on: {
    activity: {
      ...each(['repository.created', 'repository.renamed', 'repository.transferred'], brief(recordRepository)),
      'refs.changed': recordRefs,
      ...each(['issue.opened', 'issue.closed', 'issue.reopened'], brief(recordIssue)),
      'comment.created': brief(recordComment),
      'review.submitted': brief(recordReview),
      'pull.merged': brief(recordMerge),
      'release.published': brief(recordRelease),
    },
  },
  within: { 'user.deleting': deleteActivitiesOf },
  schedules: { delete_old_actions: deleteOldActivities },
});
