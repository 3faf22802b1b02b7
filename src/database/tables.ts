import type { AccountTables } from './tables/accounts.ts';
import type { ActionRunnerTables } from './tables/action-runners.ts';
import type { ActionScheduleTables } from './tables/action-schedules.ts';
import type { ActionSettingsTables } from './tables/action-settings.ts';
import type { ActionTables } from './tables/actions.ts';
import type { ActivityTables } from './tables/activity.ts';
import type { ArchiveTables } from './tables/archives.ts';
import type { AuditTables } from './tables/audit.ts';
import type { BackupTables } from './tables/backups.ts';
import type { CodeTables } from './tables/code.ts';
import type { CodeIndexTables } from './tables/code-indexes.ts';
import type { ContributionTables } from './tables/contributions.ts';
import type { FederationTables } from './tables/federation.ts';
import type { ImportTables } from './tables/imports.ts';
import type { IssueActivityTables } from './tables/issue-activity.ts';
import type { IssueTables } from './tables/issues.ts';
import type { KeyTables } from './tables/keys.ts';
import type { LfsTables } from './tables/lfs.ts';
import type { MailTables } from './tables/mail.ts';
import type { MigrationTables } from './tables/migrations.ts';
import type { MirrorTables } from './tables/mirrors.ts';
import type { OAuth2Tables } from './tables/oauth2.ts';
import type { OrganizationTables } from './tables/organizations.ts';
import type { PackageTables } from './tables/packages.ts';
import type { PlatformTables } from './tables/platform.ts';
import type { ProjectTables } from './tables/projects.ts';
import type { PullTables } from './tables/pulls.ts';
import type { ReleaseTables } from './tables/releases.ts';
import type { RepositoryTables } from './tables/repositories.ts';
import type { VolumeTables } from './tables/volumes.ts';
import type { WebhookTables } from './tables/webhooks.ts';

/** Every table, by name. Each feature describes its own in `tables/`, and creates them in `migrations/`. */
export interface Tables
  extends PlatformTables,
    AccountTables,
    OAuth2Tables,
    FederationTables,
    KeyTables,
    MailTables,
    OrganizationTables,
    RepositoryTables,
    MirrorTables,
    MigrationTables,
    ArchiveTables,
    AuditTables,
    BackupTables,
    CodeTables,
    CodeIndexTables,
    ImportTables,
    IssueTables,
    LfsTables,
    IssueActivityTables,
    ActivityTables,
    ProjectTables,
    PullTables,
    ReleaseTables,
    ContributionTables,
    PackageTables,
    ActionTables,
    ActionScheduleTables,
    ActionSettingsTables,
    ActionRunnerTables,
    VolumeTables,
    WebhookTables {}
