import type { Loaded } from '../access/load.ts';
import { OPENABLE_UNITS } from '../repositories/edit/public-access.ts';
import type { ActDeclaration } from './act.ts';
import type { AuditAction } from './actions.ts';
import { type Acts, act, row } from './declare.ts';
import { accountSettingsActs, administrationActs, organizationPageActs, ownerActs, TOKEN_FIELDS } from './settings-acts.ts';

const TAG = ['name_pattern', 'whitelist_usernames', 'whitelist_teams'];

/** The forms of pages. */
export function pageActs(): Acts {
  const forms: Record<string, ActDeclaration> = {
    '/user/login': act('sign-in'),
    '/user/two_factor': act('sign-in'),
    '/user/webauthn/passkey/login': act('sign-in'),
    '/user/webauthn/assertion': act('sign-in'),
    '/user/logout': act('sign-out'),
    '/user/sign_up': act('user.create'),
    '/user/first_administrator': act('user.create', 'user_name'),
    '/user/activate': act('user.activate'),
    '/user/activate_email': act('email.confirm'),
    '/user/change_password': act('password.change'),
    '/user/recover_account': act('password.reset'),
    '/user/settings/security/two_factor/enroll': act('two-factor.enable'),
    '/user/settings/security/two_factor/recovery_code': act('two-factor.recovery-code'),
    '/user/settings/security/two_factor/disable': act('two-factor.disable'),
    '/user/settings/security/webauthn/register': act('passkey.add', 'name'),
    '/user/settings/security/webauthn/rename': act('passkey.rename', 'id', 'name'),
    '/user/settings/security/webauthn/delete': act('passkey.delete', 'id'),
    '/user/settings/security/sessions/end': act('session.end', 'id'),
    '/user/settings/security/sessions/end_others': act('session.end'),
    '/user/settings/applications/oauth2/:id(^[0-9]+$)/revoke/:grant(^[0-9]+$)': act('oauth2-grant.revoke'),
    '/user/settings/emails/add': act('email.add', 'email'),
    '/user/settings/emails/primary': act('email.primary', 'email', 'id'),
    '/user/settings/emails/remove': act('email.remove', 'email', 'id'),
    '/user/settings/account/delete': act('user.delete'),
    '/user/settings/keys/ssh/add': row('key.add', 'title'),
    '/user/settings/keys/ssh/delete': row('key.delete', 'id'),
    '/user/settings/keys/ssh/verify': row('key.verify', 'id'),
    '/user/settings/keys/gpg/verify': row('key.verify', 'id'),
    '/user/settings/keys/gpg/add': act('key.add'),
    '/user/settings/keys/gpg/delete': row('key.delete', 'id'),
    '/user/settings/applications': act('token.create', 'name'),
    '/user/settings/applications/delete': row('token.delete', 'id'),
    '/repo/create': act('repository.create', 'name', 'private'),
    '/repo/migrate': act('repository.migrate', 'service', 'repo_name', 'uid', 'private', 'mirror'),
    '/org/create': act('organization.create', 'name', 'visibility'),
    '/user/settings/packages/chef/regenerate_keypair': act('package-key.regenerate'),
    ...repositorySettingsActs(),
    ...accountSettingsActs(),
    ...organizationPageActs(),
    ...administrationActs(),
    ...contentActs(),
    '/:owner/:repo/actions/runs/:run/delete': act('run.delete'),
    '/:owner/:repo/actions/enable': act('workflow.enable', 'workflow'),
    '/:owner/:repo/actions/disable': act('workflow.disable', 'workflow'),
    '/:owner/:repo/releases/delete': act('release.delete', 'id'),
    '/-/admin/users': act('user.create', 'username', 'email', 'must_change_password'),
    '/-/admin/users/:username': act(
      'user.edit',
      ...['email', 'must_change_password', 'active', 'admin', 'prohibit_login', 'restricted', 'visibility', 'max_repo_creation'],
      ...['allow_create_organization', 'allow_git_hook', 'allow_import_local'],
    ),
    '/-/admin/users/:username/rename': act('user.rename', 'new_username'),
    '/-/admin/users/:username/2fa': act('two-factor.disable'),
    '/-/admin/users/:username/badges': act('user.badges', 'do', 'slug'),
    '/-/admin/users/:username/delete': act('user.delete', 'purge'),
    '/-/admin/monitor': act('task.run', 'task'),
    '/-/admin/packages/cleanup': act('task.run'),
    '/-/admin/badges': act('badge.save', 'slug', 'description', 'image_url'),
    '/-/admin/badges/slug/:name': act('badge.save', 'description', 'image_url'),
    '/-/admin/badges/slug/:name/delete': act('badge.delete'),
    '/-/admin/badges/slug/:name/users': act('user.badges', 'do', 'user'),
    '/login/oauth/grant': act('oauth2-grant.create', 'client_id', 'scope'),
  };
  return Object.fromEntries(Object.entries(forms).map(([path, declaration]) => [`page POST ${path}`, declaration]));
}

/** Forms that are recorded in part: their field `do` names the act. */
function contentActs(): Acts {
  const doing = (actions: Readonly<Record<string, AuditAction>>) =>
    act(({ do: name }) => (typeof name === 'string' && Object.hasOwn(actions, name) ? actions[name] : undefined));
  const conversation = doing({ delete: 'issue.delete' });
  const deletion = 'package.delete';
  return {
    '/:owner/:repo/issues/:index(^[0-9]+$)': conversation,
    '/:owner/:repo/pulls/:index(^[0-9]+$)': conversation,
    '/:owner/:repo/actions/runs/:run': doing({ approve: 'run.approve' }),
    '/:owner/-/packages/:type/:name/:version/settings': doing({
      ...{ link: 'package.link', unlink: 'package.unlink', delete: deletion, 'delete-all': deletion },
    }),
  };
}

function repositorySettingsActs(): Acts {
  const settings = '/:owner/:repo/settings';
  return {
    [settings]: act(renameOrEdit, 'name', 'template', 'default_branch'),
    [`${settings}/units`]: act('repository.edit'),
    [`${settings}/public_access`]: act('repository.public-access', ...OPENABLE_UNITS),
    [`${settings}/visibility`]: act('repository.visibility', 'private'),
    [`${settings}/archive`]: act(({ archived }) => (archived === 'true' ? 'repository.archive' : 'repository.unarchive'), 'archived'),
    [`${settings}/transfer`]: act('repository.transfer', 'new_owner'),
    [`${settings}/transfer/cancel`]: act('repository.transfer.cancel'),
    [`${settings}/delete`]: act('repository.delete'),
    [`${settings}/tags`]: act('tag-protection.create', ...TAG),
    [`${settings}/tags/:id(^[0-9]+$)`]: act('tag-protection.update', ...TAG),
    [`${settings}/tags/delete`]: act('tag-protection.delete', 'id'),
    [`${settings}/mirrors/pull`]: act('repository.edit', 'mirror_interval', 'enable_prune', 'forget_credentials'),
    [`${settings}/mirrors/push/add`]: act('push-mirror.add', 'interval', 'sync_on_commit'),
    [`${settings}/mirrors/push/edit`]: act('repository.edit', 'name', 'interval', 'sync_on_commit'),
    [`${settings}/mirrors/push/delete`]: act('push-mirror.delete', 'name'),
    [`${settings}/hooks/git`]: act('git-hook.update', 'name'),
    '/:owner/:repo/action/accept_transfer': act('repository.transfer'),
    '/:owner/:repo/action/reject_transfer': act('repository.transfer.reject'),
    [`${settings}/collaboration/add`]: row('collaborator.add', 'user', 'permission'),
    [`${settings}/collaboration/remove`]: act('collaborator.remove', 'user'),
    [`${settings}/collaboration/teams/add`]: act('team.repository.add', 'team'),
    [`${settings}/collaboration/teams/remove`]: act('team.repository.remove', 'team'),
    [`${settings}/branches/edit`]: act(
      ({ old_name: name }) => (name === undefined ? 'branch-protection.create' : 'branch-protection.update'),
      ...['rule_name', 'old_name', 'enable_push', 'enable_force_push', 'required_approvals', 'enable_status_check'],
    ),
    [`${settings}/branches/delete`]: row('branch-protection.delete', 'rule_name'),
    [`${settings}/keys/add`]: act('key.add', 'title', 'can_write'),
    [`${settings}/keys/delete`]: act('key.delete', 'id'),
    [`${settings}/actions/general/actions_unit`]: act('repository.edit', 'enable_actions'),
    [`${settings}/actions/general/token_permissions`]: act('job-tokens.set', 'override_owner_config', ...TOKEN_FIELDS),
    [`${settings}/actions/general/collaborative_owner/add`]: act('job-access.add', 'collaborative_owner'),
    [`${settings}/actions/general/collaborative_owner/delete`]: act('job-access.remove', 'id'),
    ...ownerActs(settings),
  };
}

function renameOrEdit({ name }: Readonly<Record<string, unknown>>, { repository }: Loaded): AuditAction {
  return name === repository?.name ? 'repository.edit' : 'repository.rename';
}
