import { JOB_UNITS } from '../access/job-levels.ts';
import { type Acts, act } from './declare.ts';

const TEAM = ['name', 'permission', 'repo_access', 'can_create_org_repo'];

const unadoptedAct = act(({ action }) => (action === 'adopt' ? 'repository.adopt' : 'repository.delete-unadopted'), 'id');

/** The fields of job tokens' permissions. */
export const TOKEN_FIELDS = ['token_permission_mode', 'enable_max_permissions', ...JOB_UNITS.map((unit) => `max_${unit}`)];

/** The permissions of jobs in all repositories of an owner. */
function automationActs(settings: string): Acts {
  const page = `${settings}/actions/general`;
  return {
    [page]: act('job-tokens.set', ...TOKEN_FIELDS),
    [`${page}/repositories/add`]: act('job-access.add', 'repository'),
    [`${page}/repositories/remove`]: act('job-access.remove', 'id'),
  };
}

/** Acts that all owners have: on hooks, secrets, variables and runners. @param settings where their settings are */
export function ownerActs(settings: string, automation = `${settings}/actions`): Acts {
  return {
    [`${settings}/hooks/new`]: act('webhook.create', 'type', 'name', 'active', 'is_system'),
    [`${settings}/hooks/:id(^[0-9]+$)`]: act('webhook.update', 'name', 'active'),
    [`${settings}/hooks/:id(^[0-9]+$)/delete`]: act('webhook.delete'),
    ...(settings !== '/-/admin' && {
      [`${automation}/secrets/set`]: act('secret.set', 'name'),
      [`${automation}/secrets/delete`]: act('secret.delete', 'name'),
    }),
    [`${automation}/variables/add`]: act('variable.set', 'name'),
    [`${automation}/variables/edit`]: act('variable.set', 'name'),
    [`${automation}/variables/delete`]: act('variable.delete', 'name'),
    [`${automation}/runners/reset_registration_token`]: act('runner.token'),
    [`${automation}/runners/:id(^[0-9]+$)/update-runner`]: act('runner.update', 'disabled'),
    [`${automation}/runners/:id(^[0-9]+$)/delete`]: act('runner.delete'),
  };
}

/** The settings of accounts. */
export function accountSettingsActs(): Acts {
  const settings = '/user/settings';
  return {
    ...ownerActs(settings),
    ...automationActs(settings),
    ...blockActs(settings),
    ...applicationActs(settings),
    ...packageRuleActs(settings),
    [`${settings}/repos/unadopted`]: unadoptedAct,
  };
}

/** Members, teams and settings of organizations. */
export function organizationPageActs(): Acts {
  const [settings, members, team] = ['/org/:org/settings', '/org/:org/members/action', '/org/:org/teams/:team'];
  return {
    ...ownerActs(settings),
    ...automationActs(settings),
    ...blockActs(settings),
    ...packageRuleActs(settings),
    [settings]: act('organization.edit', 'email', 'repo_admin_change_team_access'),
    [`${settings}/visibility`]: act('organization.edit', 'visibility'),
    [`${settings}/rename`]: act('organization.rename', 'new_name'),
    [`${settings}/delete`]: act('organization.delete'),
    ...applicationActs(settings),
    [`${members}/public`]: act('organization.member.visibility', 'uid'),
    [`${members}/private`]: act('organization.member.visibility', 'uid'),
    [`${members}/remove`]: act('organization.member.remove', 'uid'),
    [`${members}/leave`]: act('organization.member.remove'),
    '/org/:org/teams/new': act('team.create', ...TEAM),
    [`${team}/edit`]: act('team.edit', ...TEAM),
    [`${team}/delete`]: act('team.delete'),
    [`${team}/action/join`]: act('team.member.add'),
    [`${team}/action/invite`]: act('team.invitation.add', 'email'),
    [`${team}/action/remove_invite`]: act('team.invitation.withdraw', 'iid'),
    '/org/invite/:invitation(^[0-9A-Za-z_-]{20,64}$)': act('team.member.add'),
    [`${team}/action/add`]: act('team.member.add', 'user'),
    [`${team}/action/remove`]: act('team.member.remove', 'user'),
    [`${team}/action/leave`]: act('team.member.remove'),
    [`${team}/action/repo/add`]: act('team.repository.add', 'repo_name'),
    [`${team}/action/repo/remove`]: act('team.repository.remove', 'repo_name'),
  };
}

/** The administration. */
export function administrationActs(): Acts {
  return {
    ...ownerActs('/-/admin'),
    ...applicationActs('/-/admin'),
    '/-/admin/repos/unadopted': unadoptedAct,
  };
}

function packageRuleActs(settings: string): Acts {
  const terms = ['enabled', 'keep_count', 'keep_pattern', 'remove_days', 'remove_pattern', 'match_full_name'];
  return {
    [`${settings}/packages/rules/add`]: act('package-rule.create', 'type', ...terms),
    [`${settings}/packages/rules/:id(^[0-9]+$)`]: act(
      ({ action }) => (action === 'remove' ? 'package-rule.delete' : 'package-rule.update'),
      ...terms,
    ),
  };
}

function applicationActs(settings: string): Acts {
  const one = `${settings}/applications/oauth2/:id(^[0-9]+$)`;
  const fields = ['name', 'confidential_client', 'redirect_uris'];
  return {
    [`${settings}/applications/oauth2`]: act('oauth2-application.create', ...fields),
    [one]: act('oauth2-application.update', ...fields),
    [`${one}/regenerate_secret`]: act('oauth2-application.update'),
    [`${one}/delete`]: act('oauth2-application.delete'),
  };
}

function blockActs(settings: string): Acts {
  return { [`${settings}/blocked_users`]: act(({ action }) => (action === 'unblock' ? 'user.unblock' : 'user.block'), 'user') };
}
