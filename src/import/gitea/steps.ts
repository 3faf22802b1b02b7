import type { Step } from './step.ts';
import { emails } from './steps/accounts/emails.ts';
import { gpgKeys, sshKeys } from './steps/accounts/keys.ts';
import { applications, grants } from './steps/accounts/oauth2.ts';
import { runMails } from './steps/accounts/run-mails.ts';
import { badges, blocks, follows, forgejoBlocks, userBadges, userRedirects } from './steps/accounts/social.ts';
import { tokens } from './steps/accounts/tokens.ts';
import { securityKeys, twoFactors } from './steps/accounts/two-factor.ts';
import { users } from './steps/accounts/users.ts';
import { actionArtifacts } from './steps/automation/artifacts.ts';
import { actionJobs } from './steps/automation/jobs.ts';
import { actionRunners, actionRunnerTokens } from './steps/automation/runners.ts';
import { actionRunNumbers, actionRuns } from './steps/automation/runs.ts';
import { actionDisabledWorkflows, actionScheduleSpecs, actionSchedules } from './steps/automation/schedules.ts';
import { actionSecrets, actionVariables } from './steps/automation/secrets.ts';
import { actionSettings, ownerActionSettings } from './steps/automation/settings.ts';
import { actionTaskOutputs, actionTaskSteps, actionTasks } from './steps/automation/tasks.ts';
import { activities } from './steps/events/activities.ts';
import { notices } from './steps/events/notices.ts';
import { notifications } from './steps/events/notifications.ts';
import { webhooks } from './steps/events/webhooks.ts';
import { assignees, dependencies, issueWatches, mentions, reactions } from './steps/issues/around.ts';
import { comments } from './steps/issues/comments.ts';
import { contentHistory } from './steps/issues/history.ts';
import { issues } from './steps/issues/issues.ts';
import { issueLabels, labels, milestones } from './steps/issues/labels.ts';
import { projectCards, projectColumns, projects } from './steps/issues/projects.ts';
import { stopwatches, trackedTimes } from './steps/issues/times.ts';
import { mirrors, pushMirrors } from './steps/mirrors/mirrors.ts';
import { members, teamInvitations, teamMembers, teamRepositories, teams, teamUnits } from './steps/organizations/teams.ts';
import { packageFiles } from './steps/packages/files.ts';
import { packages } from './steps/packages/packages.ts';
import { packageProperties } from './steps/packages/properties.ts';
import { packageRules } from './steps/packages/rules.ts';
import { packageKeys } from './steps/packages/signing-keys.ts';
import { packageVersions } from './steps/packages/versions.ts';
import { autoMerges, pulls } from './steps/pulls/pulls.ts';
import { reviews } from './steps/pulls/reviews.ts';
import { viewedFiles } from './steps/pulls/viewed.ts';
import { attachments } from './steps/releases/attachments.ts';
import { releases } from './steps/releases/releases.ts';
import { deletedBranches } from './steps/repositories/deleted-branches.ts';
import { largeFileLocks, largeFiles } from './steps/repositories/large-files.ts';
import { deployKeys, renamedBranches, repositoryRedirects, topics } from './steps/repositories/names.ts';
import { origins } from './steps/repositories/origins.ts';
import { collaborators, stars, transfers, watches } from './steps/repositories/people.ts';
import { branchProtections, tagProtections } from './steps/repositories/protections.ts';
import { repositories } from './steps/repositories/repositories.ts';
import { statusCounts, statuses } from './steps/repositories/statuses.ts';

/** All steps of an import, in order: referenced rows before those that refer to them. */
export const STEPS: readonly Step[] = [
  users,
  runMails,
  emails,
  userRedirects,
  twoFactors,
  securityKeys,
  tokens,
  sshKeys,
  gpgKeys,
  applications,
  grants,
  follows,
  blocks,
  forgejoBlocks,
  badges,
  userBadges,
  members,
  teams,
  teamUnits,
  teamMembers,
  teamInvitations,
  repositories,
  origins,
  repositoryRedirects,
  topics,
  teamRepositories,
  collaborators,
  stars,
  watches,
  transfers,
  deployKeys,
  branchProtections,
  tagProtections,
  renamedBranches,
  statuses,
  statusCounts,
  largeFiles,
  largeFileLocks,
  mirrors,
  pushMirrors,
  deletedBranches,
  labels,
  milestones,
  issues,
  projects,
  projectColumns,
  projectCards,
  issueLabels,
  assignees,
  mentions,
  issueWatches,
  dependencies,
  trackedTimes,
  stopwatches,
  pulls,
  autoMerges,
  viewedFiles,
  reviews,
  comments,
  contentHistory,
  reactions,
  releases,
  attachments,
  notifications,
  activities,
  notices,
  webhooks,
  actionSecrets,
  actionVariables,
  actionRunners,
  actionRunnerTokens,
  actionDisabledWorkflows,
  actionSettings,
  ownerActionSettings,
  actionSchedules,
  actionScheduleSpecs,
  actionRuns,
  actionRunNumbers,
  actionJobs,
  actionTasks,
  actionTaskSteps,
  actionTaskOutputs,
  actionArtifacts,
  packages,
  packageVersions,
  packageProperties,
  packageFiles,
  packageRules,
  packageKeys,
];
