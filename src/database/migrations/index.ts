import { platform } from './0001-platform.ts';
import { accounts } from './0002-accounts.ts';
import { organizations } from './0003-organizations.ts';
import { repositories } from './0004-repositories.ts';
import { badges } from './0010-badges.ts';
import { keys } from './0011-keys.ts';
import { repositoryDetails } from './0030-repositories.ts';
import { code } from './0040-code.ts';
import { archives } from './0048-archives.ts';
import { issues } from './0050-issues.ts';
import { oauth2 } from './0060-oauth2.ts';
import { sessions } from './0061-sessions.ts';
import { cron } from './0062-cron.ts';
import { federation } from './0063-federation.ts';
import { issueActivity } from './0070-issue-activity.ts';
import { accountSearch } from './0080-account-search.ts';
import { activity } from './0090-activity.ts';
import { pulls } from './0100-pulls.ts';
import { webhooks } from './0110-webhooks.ts';
import { deployKeys } from './0111-deploy-keys.ts';
import { webhookQueue } from './0112-webhook-queue.ts';
import { keptCounts } from './0120-kept-counts.ts';
import { texts } from './0121-texts.ts';
import { issueCounts } from './0122-issue-counts.ts';
import { momentCounts } from './0123-moment-counts.ts';
import { verifiedSshKeys } from './0125-verified-ssh-keys.ts';
import { releases } from './0130-releases.ts';
import { eventLeases } from './0140-event-leases.ts';
import { repositoryNames } from './0150-repository-names.ts';
import { countedReviews } from './0161-counted-reviews.ts';
import { issueWordsState } from './0170-issue-words-state.ts';
import { addressCount } from './0171-address-count.ts';
import { starOrder } from './0172-star-order.ts';
import { textLookups } from './0173-text-lookups.ts';
import { keyScopes } from './0182-key-scopes.ts';
import { provenGpgKeys } from './0183-proven-gpg-keys.ts';
import { transferCollaborators } from './0184-transfer-collaborators.ts';
import { archiveSizes } from './0185-archive-sizes.ts';
import { processes } from './0190-processes.ts';
import { jobQueues } from './0191-job-queues.ts';
import { webhookSnapshots } from './0192-webhook-snapshots.ts';
import { eventPartitions } from './0193-event-partitions.ts';
import { recovery } from './0198-recovery.ts';
import { actors } from './0199-actors.ts';
import { sentMails } from './0205-sent-mails.ts';
import { refsVersion } from './0206-refs-version.ts';
import { commitReferenceSources } from './0207-commit-reference-sources.ts';
import { lfs } from './0220-lfs.ts';
import { mirrors } from './0230-mirrors.ts';
import { renamedBranches } from './0235-renamed-branches.ts';
import { statusNumbers } from './0236-status-numbers.ts';
import { repositoryMigrations } from './0240-repository-migrations.ts';
import { imports } from './0250-imports.ts';
import { packages } from './0300-packages.ts';
import { packageCleanupRules } from './0301-package-cleanup-rules.ts';
import { actions } from './0310-actions.ts';
import { actionRunners } from './0311-action-runners.ts';
import { actionEvents } from './0312-action-events.ts';
import { actionTasks } from './0313-action-tasks.ts';
import { actionDefaultBranches } from './0314-action-default-branches.ts';
import { actionArtifactLists } from './0315-action-artifact-lists.ts';
import { chefKeys } from './0340-chef-keys.ts';
import { importedHashes } from './0341-imported-hashes.ts';
import { issueNumbers } from './0350-issue-numbers.ts';
import { packageUpstreams } from './0355-package-upstreams.ts';
import { packageBlobSha512 } from './0365-package-blob-sha512.ts';
import { packageFragments } from './0366-package-fragments.ts';
import { actionStrategies } from './0375-action-strategies.ts';
import { actionTaskReceipts } from './0376-action-task-receipts.ts';
import { actionDefaultTriggers } from './0377-action-default-triggers.ts';
import { processLoad } from './0395-process-load.ts';
import { signInCounters } from './0396-sign-in-counters.ts';
import { backups } from './0400-backups.ts';
import { audit } from './0405-audit.ts';
import { processMetrics } from './0406-process-metrics.ts';
import { repositoryVolumes } from './0410-repository-volumes.ts';
import { rollingUpgrades } from './0411-rolling-upgrades.ts';
import { pendingAttachments } from './0440-pending-attachments.ts';
import { codeIndexes } from './0450-code-indexes.ts';
import { pullViewedFiles } from './0460-pull-viewed-files.ts';
import { passkeys } from './0470-passkeys.ts';
import { webhookReplays } from './0480-webhook-replays.ts';
import { projects } from './0485-projects.ts';
import { savedQueries } from './0486-saved-queries.ts';
import { contributions } from './0490-contributions.ts';
import { deletedBranches } from './0493-deleted-branches.ts';
import { tagDates } from './0495-tag-dates.ts';
import { contentVersions } from './0497-content-versions.ts';
import { teamInvitations } from './0506-team-invitations.ts';
import { notices } from './0507-notices.ts';
import { madeBackups } from './0510-made-backups.ts';
import { actionSettings } from './0511-action-settings.ts';
import { runMails } from './0512-run-mails.ts';
import { hiddenEvents } from './0520-hidden-events.ts';
import { packageBlocks } from './0535-package-blocks.ts';
import { partDigests } from './0545-part-digests.ts';
import { mailedAttempts } from './0561-mailed-attempts.ts';
import { listIndexes } from './0580-list-indexes.ts';
import { lowerUnicode } from './0600-lower-unicode.ts';
import { packageTotals } from './0610-package-totals.ts';
import { rpmUpdates } from './0611-rpm-updates.ts';
import { versionSums } from './0612-version-sums.ts';
import { memberOrder } from './0613-member-order.ts';
import { deletionIndexes } from './0614-deletion-indexes.ts';
import { packageBlobTotals } from './0615-package-blob-totals.ts';
import { compressedBlobs } from './0616-compressed-blobs.ts';
import { ownerCounts } from './0620-owner-counts.ts';
import type { SchemaMigration } from './schema-kit.ts';

/** In the order in which they run. */
export const migrations: readonly SchemaMigration[] = [
  platform,
  accounts,
  organizations,
  repositories,
  badges,
  keys,
  repositoryDetails,
  code,
  archives,
  issues,
  oauth2,
  sessions,
  cron,
  federation,
  issueActivity,
  accountSearch,
  activity,
  pulls,
  webhooks,
  deployKeys,
  webhookQueue,
  keptCounts,
  texts,
  issueCounts,
  momentCounts,
  verifiedSshKeys,
  releases,
  eventLeases,
  repositoryNames,
  countedReviews,
  issueWordsState,
  addressCount,
  starOrder,
  textLookups,
  keyScopes,
  provenGpgKeys,
  transferCollaborators,
  archiveSizes,
  processes,
  jobQueues,
  webhookSnapshots,
  eventPartitions,
  recovery,
  actors,
  sentMails,
  refsVersion,
  commitReferenceSources,
  lfs,
  mirrors,
  renamedBranches,
  statusNumbers,
  repositoryMigrations,
  imports,
  packages,
  packageCleanupRules,
  actions,
  actionRunners,
  actionEvents,
  actionTasks,
  actionDefaultBranches,
  actionArtifactLists,
  chefKeys,
  importedHashes,
  issueNumbers,
  packageUpstreams,
  packageBlobSha512,
  packageFragments,
  actionStrategies,
  actionTaskReceipts,
  actionDefaultTriggers,
  processLoad,
  signInCounters,
  backups,
  audit,
  processMetrics,
  repositoryVolumes,
  rollingUpgrades,
  pendingAttachments,
  codeIndexes,
  pullViewedFiles,
  passkeys,
  webhookReplays,
  projects,
  savedQueries,
  contributions,
  deletedBranches,
  tagDates,
  contentVersions,
  teamInvitations,
  notices,
  madeBackups,
  actionSettings,
  runMails,
  hiddenEvents,
  packageBlocks,
  partDigests,
  mailedAttempts,
  listIndexes,
  lowerUnicode,
  packageTotals,
  rpmUpdates,
  versionSums,
  memberOrder,
  deletionIndexes,
  packageBlobTotals,
  compressedBlobs,
  ownerCounts,
];
