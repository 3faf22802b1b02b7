import type { Loaded } from '../access/load.ts';
import type { ActDeclaration } from './act.ts';
import type { AuditAction } from './actions.ts';
import { type Acts, act, outside, row } from './declare.ts';
import { pageActs } from './page-acts.ts';

/** The acts of routes, by operation id. A route that changes permissions has an entry here. */
export const ACTS: Readonly<Record<string, ActDeclaration>> = {
  ...accountActs(),
  ...administratorActs(),
  ...organizationActs(),
  ...repositoryActs(),
  ...protectionActs(),
  ...hookActs(),
  ...automationActs(),
  ...packageActs(),
  ...pageActs(),
};

function accountActs(): Acts {
  return {
    userCreateToken: act('token.create', 'name', 'scopes'),
    userDeleteAccessToken: row('token.delete'),
    userCreateOAuth2Application: row('oauth2-application.create', 'name', 'confidential_client', 'redirect_uris'),
    userUpdateOAuth2Application: row('oauth2-application.update', 'name', 'confidential_client', 'redirect_uris'),
    userDeleteOAuth2Application: row('oauth2-application.delete'),
    userCurrentPostKey: row('key.add', 'title', 'read_only'),
    userCurrentDeleteKey: row('key.delete'),
    userVerifyKey: row('key.verify'),
    userCurrentPostGPGKey: act('key.add'),
    userCurrentDeleteGPGKey: row('key.delete'),
    userVerifyGPGKey: row('key.verify', 'key_id'),
    userBlockUser: act('user.block'),
    userUnblockUser: row('user.unblock'),
    userAddEmail: act('email.add', 'emails'),
    userDeleteEmail: act('email.remove', 'emails'),
  };
}

function administratorActs(): Acts {
  return {
    adminCreateUser: act('user.create', 'username', 'email', 'must_change_password', 'restricted', 'visibility', 'source_id', 'login_name'),
    adminEditUser: act(
      'user.edit',
      ...['email', 'password', 'must_change_password', 'active', 'admin', 'prohibit_login', 'restricted', 'visibility', 'source_id'],
      ...['login_name', 'allow_git_hook', 'allow_import_local', 'max_repo_creation', 'allow_create_organization'],
    ),
    adminDeleteUser: act('user.delete'),
    adminRemoveTwoFactor: row('two-factor.disable'),
    adminRenameUser: act('user.rename', 'new_username'),
    adminAddUserBadges: row('user.badges', 'badge_slugs'),
    adminDeleteUserBadges: row('user.badges', 'badge_slugs'),
    adminCreatePublicKey: row('key.add', 'title', 'read_only'),
    adminDeleteUserPublicKey: row('key.delete'),
    adminCreateOrg: act('organization.create', 'username', 'visibility'),
    adminCreateRepo: act('repository.create', 'name', 'private'),
    adminCronRun: outside('task.run'),
    adminAdoptRepository: act('repository.adopt'),
    adminDeleteUnadoptedRepository: outside('repository.delete-unadopted'),
  };
}

function organizationActs(): Acts {
  const team = ['name', 'permission', 'units', 'units_map', 'includes_all_repositories', 'can_create_org_repo'];
  return {
    orgCreate: act('organization.create', 'username', 'visibility', 'repo_admin_change_team_access'),
    orgEdit: act('organization.edit', 'email', 'visibility', 'repo_admin_change_team_access'),
    orgDelete: act('organization.delete'),
    renameOrg: act('organization.rename', 'new_name'),
    orgDeleteMember: act('organization.member.remove'),
    orgPublicizeMember: row('organization.member.visibility'),
    orgConcealMember: row('organization.member.visibility'),
    orgCreateTeam: act('team.create', ...team),
    orgEditTeam: act('team.edit', ...team),
    orgDeleteTeam: act('team.delete'),
    orgAddTeamMember: act('team.member.add'),
    orgRemoveTeamMember: act('team.member.remove'),
    organizationBlockUser: act('user.block'),
    organizationUnblockUser: row('user.unblock'),
    orgAddTeamRepository: act('team.repository.add'),
    orgRemoveTeamRepository: act('team.repository.remove'),
  };
}

function repositoryActs(): Acts {
  const create = act('repository.create', 'name', 'private');
  return {
    createCurrentUserRepo: create,
    createOrgRepo: create,
    createOrgRepoDeprecated: create,
    createFork: act('repository.create', 'name', 'organization'),
    generateRepo: act('repository.create', 'owner', 'name', 'private'),
    repoMigrate: act('repository.migrate', 'service', 'repo_name', 'repo_owner', 'private', 'mirror'),
    repoEdit: act(
      editAction,
      ...['name', 'private', 'archived', 'template', 'default_branch', 'mirror_interval', 'has_code', 'has_issues', 'has_wiki'],
      ...['has_pull_requests', 'has_projects', 'has_releases', 'has_packages', 'has_actions', 'allow_merge_commits', 'allow_rebase'],
      ...['allow_rebase_explicit', 'allow_squash_merge', 'allow_fast_forward_only_merge', 'allow_manual_merge'],
    ),
    repoDelete: act('repository.delete'),
    repoTransfer: act('repository.transfer', 'new_owner', 'team_ids'),
    acceptRepoTransfer: act('repository.transfer'),
    rejectRepoTransfer: act('repository.transfer.reject'),
    repoAddCollaborator: row('collaborator.add', 'permission'),
    repoDeleteCollaborator: act('collaborator.remove'),
    repoCreateKey: act('key.add', 'title', 'read_only'),
    repoDeleteKey: act('key.delete'),
    repoAddTeam: act('team.repository.add'),
    repoDeleteTeam: act('team.repository.remove'),
    repoAddPushMirror: act('push-mirror.add', 'interval', 'sync_on_commit'),
    issueDelete: act('issue.delete'),
    repoDeleteRelease: act('release.delete'),
    repoDeleteReleaseByTag: act('release.delete'),
    repoDeletePushMirror: row('push-mirror.delete'),
  };
}

/** The most significant change of an edit; the details have all of them. */
function editAction(body: Readonly<Record<string, unknown>>, { repository }: Loaded): AuditAction {
  const changes = (field: string, was: unknown) => body[field] !== undefined && body[field] !== null && body[field] !== was;
  if (changes('private', repository?.is_private)) return 'repository.visibility';
  if (changes('archived', repository?.is_archived)) return body.archived ? 'repository.archive' : 'repository.unarchive';
  return changes('name', repository?.name) ? 'repository.rename' : 'repository.edit';
}

function protectionActs(): Acts {
  const tag = ['name_pattern', 'whitelist_usernames', 'whitelist_teams'];
  const branch = [
    ...['priority', 'enable_push', 'enable_push_whitelist', 'push_whitelist_usernames', 'push_whitelist_teams'],
    ...['push_whitelist_deploy_keys', 'enable_force_push', 'enable_force_push_allowlist', 'force_push_allowlist_usernames'],
    ...['force_push_allowlist_teams', 'force_push_allowlist_deploy_keys', 'enable_merge_whitelist', 'merge_whitelist_usernames'],
    ...['merge_whitelist_teams', 'enable_status_check', 'status_check_contexts', 'required_approvals', 'enable_approvals_whitelist'],
    ...['approvals_whitelist_username', 'approvals_whitelist_teams', 'block_on_rejected_reviews', 'block_on_official_review_requests'],
    ...['block_on_outdated_branch', 'dismiss_stale_approvals', 'ignore_stale_approvals', 'require_signed_commits'],
    ...['protected_file_patterns', 'unprotected_file_patterns', 'block_admin_merge_override'],
  ];
  return {
    repoCreateBranchProtection: act('branch-protection.create', 'branch_name', 'rule_name', ...branch),
    repoUpdateBranchProtectionPriories: act('branch-protection.update', 'ids'),
    repoEditBranchProtection: act('branch-protection.update', ...branch),
    repoDeleteBranchProtection: act('branch-protection.delete'),
    repoCreateTagProtection: act('tag-protection.create', ...tag),
    repoEditTagProtection: act('tag-protection.update', ...tag),
    repoDeleteTagProtection: act('tag-protection.delete'),
    repoEditGitHook: outside('git-hook.update'),
    repoDeleteGitHook: outside('git-hook.delete'),
  };
}

/** URLs and headers of hooks may have secrets in them, so they are not among the fields. */
function hookActs(): Acts {
  const places = ['repo', 'user', 'org', 'admin'];
  return Object.fromEntries(
    places.flatMap((place) => [
      [`${place}CreateHook`, act('webhook.create', 'type', 'name', 'events', 'active')],
      [`${place}EditHook`, act('webhook.update', 'name', 'events', 'active')],
      [`${place}DeleteHook`, row('webhook.delete')],
    ]),
  );
}

function automationActs(): Acts {
  const kept = ['Repo', 'Org', 'User'].flatMap((place) => [
    [`update${place}Secret`, act('secret.set')],
    [`delete${place}Secret`, row('secret.delete')],
    [`create${place}Variable`, act('variable.set')],
    [`update${place}Variable`, act('variable.set', 'name')],
    [`delete${place}Variable`, row('variable.delete')],
  ]);
  const runners = ['Repo', 'Org', 'User', 'Admin'].flatMap((place) => [
    [`${place.toLowerCase()}CreateRunnerRegistrationToken`, act('runner.token')],
    [`update${place}Runner`, act('runner.update', 'disabled')],
    [`delete${place}Runner`, row('runner.delete')],
  ]);
  return {
    ...Object.fromEntries([...kept, ...runners]),
    approveWorkflowRun: act('run.approve'),
    deleteActionRun: act('run.delete'),
    rpcRunnerServiceRegister: act('runner.register'),
    ActionsEnableWorkflow: act('workflow.enable'),
    ActionsDisableWorkflow: act('workflow.disable'),
  };
}

function packageActs(): Acts {
  const rule = ['enabled', 'keep_count', 'keep_pattern', 'remove_days', 'remove_pattern', 'match_full_name'];
  const upstream = ['enabled', 'priority', 'allow', 'deny', 'anonymous_fetches'];
  return {
    deletePackage: act('package.delete'),
    deletePackageVersion: act('package.delete'),
    linkPackage: act('package.link'),
    unlinkPackage: act('package.unlink'),
    createPackageCleanupRule: row('package-rule.create', 'type', ...rule),
    editPackageCleanupRule: row('package-rule.update', ...rule),
    deletePackageCleanupRule: row('package-rule.delete'),
    createPackageUpstream: act('package-upstream.create', 'type', ...upstream),
    editPackageUpstream: act('package-upstream.update', ...upstream),
    deletePackageUpstream: row('package-upstream.delete'),
  };
}
