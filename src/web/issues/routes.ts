import type { AnyRoute } from '../../http/route.ts';
import { attachmentPages } from './attach.ts';
import { dashboardPages } from './dashboard.ts';
import { contentHistoryPages } from './history/pages.ts';
import { issueConversationPages } from './issue-page.ts';
import { labelPages } from './labels-page.ts';
import { issueListPages } from './list-page.ts';
import { milestoneDashboardPages } from './milestone-dashboard.ts';
import { milestonePages } from './milestones-page.ts';
import { newIssuePages } from './new-page.ts';
import { previewPages } from './render.ts';
import { savedQueryPages } from './saved-queries.ts';
import { suggestionPages } from './suggestions.ts';

/** Issues, labels and milestones. */
export const issuePages: readonly AnyRoute[] = [
  ...dashboardPages,
  ...savedQueryPages,
  ...issueListPages,
  ...issueConversationPages,
  ...attachmentPages,
  ...contentHistoryPages,
  ...previewPages,
  ...suggestionPages,
  ...newIssuePages,
  ...labelPages,
  ...milestonePages,
  ...milestoneDashboardPages,
];
