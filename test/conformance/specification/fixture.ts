import type { Actor } from '../harness/actor.ts';
import type { Session } from '../harness/session.ts';

/** What the check of the specification asks about: a public repository with one of everything, and who may or may not see it. */
export interface Fixture {
  readonly owner: Actor;
  readonly stranger: Actor;
  /** A token with a single scope, by that scope. */
  readonly scoped: ReadonlyMap<string, Actor>;
  /** The path of a route with its parameters filled in. */
  fill(path: string, repository?: 'demo' | 'archived'): string;
}

type Values = Readonly<Record<string, string | number | undefined>>;
type Row = Record<string, unknown> & { id: number };

/** Makes the fixture. Of a part that the server does not have (404 or 405 for any path) a stand-in is used. */
export async function makeFixture(session: Session): Promise<Fixture> {
  const owner = await session.user('specowner');
  const stranger = await session.user('specstranger');
  const org = await session.org(owner, 'specorg');
  await session.admin.must('PATCH', `/admin/users/${owner.name}`, { login_name: owner.name, source_id: 0, allow_git_hook: true });
  const repository = `/repos/${owner.name}/demo`;
  const archived = `/repos/${owner.name}/attic`;
  await owner.repo('demo');
  await owner.repo('attic', { template: false });
  await owner.must('PATCH', archived, { archived: true });
  await owner.push(`${owner.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' } });
  await owner.push(`${owner.name}/demo`, { files: { '.editorconfig': 'root = true\n[*]\nindent_style = space\n' }, tag: 'v1' });
  const inRepository = await fillRepository(owner, repository);
  const inOrganization = await fillOrganization(owner, org);
  const ofUser = await fillUser(owner, stranger);
  const named: Values = { username: owner.name, org, timetrackingusername: owner.name, user: owner.name };
  const rows = [...inRepository(owner, stranger), ...inOrganization, ...ofUser];
  const scopes = ['read:misc', 'read:user', 'read:repository'];
  const scoped = new Map(await Promise.all(scopes.map(async (scope) => [scope, await owner.token([scope])] as const)));
  return {
    owner,
    stranger,
    scoped,
    fill: (path, where = 'demo') =>
      fillPath(path, where === 'demo' ? repository : archived, { ...DEFAULTS, ...named, ...valuesFor(rows, path) }),
  };
}

/** Values of parameters where no row of the fixture says another. */
const DEFAULTS: Values = {
  ...{ reponame: 'demo', index: 1, ref: 'main', team: 'owners', filename: 'a.txt', pageName: 'Home', tag: 'v1', topic: 'topictwo' },
  ...{ name: 'release', variablename: 'ONE', secretname: 'ONE', position: 1, task: 'archive_cleanup', type: 'generic', version: '1' },
  ...{ id: 1, attachment_id: 1 },
};
/** What the rest of a path is. */
const WILDCARDS: Readonly<Record<string, string>> = {
  'RP/compare/*': 'main...topic',
  'RP/raw/*': 'README.md',
  'RP/media/*': 'README.md',
  'RP/archive/*': 'main.zip',
  'RP/branches/*': 'main',
  'RP/tags/*': 'v1',
  'RP/contents/*': 'README.md',
  'RP/git/refs/*': 'heads/main',
  'RP/pulls/{base}/*': 'topic',
};

function valuesFor(rows: readonly (readonly [RegExp, Values])[], path: string): Values {
  return Object.assign(
    {},
    ...rows
      .filter(([pattern]) => pattern.test(path))
      .map(([, values]) => values)
      .reverse(),
  );
}

function fillPath(path: string, repository: string, values: Values): string {
  const wildcard = WILDCARDS[path];
  return (wildcard ? path.replace('*', wildcard) : path)
    .replace(/^RP/, repository)
    .replace(/\{([^}]+)\}/g, (_, name: string) => String(values[name] ?? name));
}

const NOWHERE = 'http://127.0.0.1:9/';
const HOOK = { type: 'gitea', config: { url: NOWHERE, content_type: 'json' }, events: ['push'] };
const FORM = { form: { attachment: { content: 'text', filename: 'a.txt', type: 'text/plain' } } };
const STAND_IN: Row = { id: 1 };

/** A setup request; a stand-in where the server has no such path. */
async function make(actor: Actor, path: string, json?: unknown, options?: object, method = 'POST'): Promise<Row> {
  try {
    return (await actor.must(method, path, json, options)) as Row;
  } catch (error) {
    if (/answered (404: 404 page not found|405)/.test(String(error))) return STAND_IN;
    throw error;
  }
}

async function fillRepository(owner: Actor, path: string) {
  const [commit] = (await owner.must('GET', `${path}/commits`)) as { sha: string }[];
  const tree = (await owner.must('GET', `${path}/git/trees/main`)) as { sha: string; tree: { type: string; sha: string }[] };
  await make(owner, `${path}/issues`, { title: 'one' });
  await make(owner, `${path}/pulls`, { title: 'two', head: 'topic', base: 'main' });
  const comment = await make(owner, `${path}/issues/1/comments`, { body: 'hello' });
  const label = await make(owner, `${path}/labels`, { name: 'bug', color: '#ff0000' });
  const milestone = await make(owner, `${path}/milestones`, { title: 'm' });
  const review = await make(owner, `${path}/pulls/2/reviews`, { event: 'COMMENT', body: 'looks fine' });
  await make(owner, `${path}/branch_protections`, { rule_name: 'release' });
  const tagProtection = await make(owner, `${path}/tag_protections`, { name_pattern: 'x*', whitelist_usernames: [owner.name] });
  const hook = await make(owner, `${path}/hooks`, HOOK);
  const release = await make(owner, `${path}/releases`, { tag_name: 'v1', name: 'v1' });
  const asset = await make(owner, `${path}/releases/${release.id}/assets?name=a.txt`, undefined, FORM);
  const issueAsset = await make(owner, `${path}/issues/1/assets`, undefined, FORM);
  const commentAsset = await make(owner, `${path}/issues/comments/${comment.id}/assets`, undefined, FORM);
  await make(owner, `${path}/wiki/new`, { title: 'Home', content_base64: Buffer.from('hi').toString('base64'), message: 'm' });
  await owner.must('PUT', `${path}/topics/topicone`);
  await make(owner, `${path}/actions/variables/ONE`, { value: '1' });
  const tags = (await owner.must('GET', `${path}/git/refs/tags/v1`)) as { object: { sha: string } } | { object: { sha: string } }[];
  const blob = tree.tree.find(({ type }) => type === 'blob');
  return (_owner: Actor, stranger: Actor): (readonly [RegExp, Values])[] => [
    [/^RP\/hooks\/git\/\{id\}/, { id: 'pre-receive' }],
    [/^RP\/hooks\/\{/, { id: hook.id }],
    [/^RP\/issues\/comments\/\{id\}\/assets/, { id: comment.id, attachment_id: commentAsset.id }],
    [/^RP\/issues\/(comments|\{index\}\/comments)\//, { id: comment.id }],
    [/^RP\/issues\/\{index\}\/labels/, { id: label.id }],
    [/^RP\/issues\/\{index\}\/assets/, { attachment_id: issueAsset.id }],
    [/^RP\/releases/, { id: release.id, attachment_id: asset.id }],
    [/^RP\/labels/, { id: label.id }],
    [/^RP\/milestones/, { id: milestone.id }],
    [/^RP\/tag_protections/, { id: tagProtection.id }],
    [/^RP\/pulls/, { index: 2, id: review.id, base: 'main' }],
    [/^RP\/git\/blobs/, { sha: blob?.sha }],
    [/^RP\/git\/trees/, { sha: tree.sha }],
    [/^RP\/git\/tags/, { sha: (Array.isArray(tags) ? tags[0] : tags)?.object.sha }],
    [/^RP/, { sha: commit?.sha, collaborator: stranger.name }],
  ];
}

async function fillOrganization(owner: Actor, org: string): Promise<(readonly [RegExp, Values])[]> {
  await make(owner, `/orgs/${org}/actions/variables/ONE`, { value: '1' });
  const repository = await make(owner, `/orgs/${org}/repos`, { name: 'orgdemo', auto_init: true });
  const [team] = (await owner.must('GET', `/orgs/${org}/teams`)) as Row[];
  const label = await make(owner, `/orgs/${org}/labels`, { name: 'bug', color: '#00ff00' });
  const hook = await make(owner, `/orgs/${org}/hooks`, HOOK);
  await owner.must('PUT', `/orgs/${org}/public_members/${owner.name}`);
  return [
    [/^\/orgs\/\{org\}\/labels/, { id: label.id }],
    [/^\/orgs\/\{org\}\/hooks/, { id: hook.id }],
    [/^\/repositories/, { id: repository.id }],
    [/^\/(orgs|teams)\//, { teamid: team?.id }],
  ];
}

async function fillUser(owner: Actor, stranger: Actor): Promise<(readonly [RegExp, Values])[]> {
  await make(owner, '/user/actions/variables/ONE', { value: '1' });
  await owner.send('PUT', `/user/blocks/${stranger.name}`);
  await owner.send('DELETE', `/user/blocks/${stranger.name}`);
  const hook = await make(owner, '/user/hooks', HOOK);
  const application = { name: 'app', redirect_uris: ['http://127.0.0.1/'], confidential_client: true };
  const oauth2 = await make(owner, '/user/applications/oauth2', application);
  const { id } = (await owner.must('GET', '/user')) as Row;
  return [
    [/^\/user\/hooks/, { id: hook.id }],
    [/oauth2/, { id: oauth2.id }],
    [/^\/gitignore/, { name: 'Go' }],
    [/^\/licenses/, { name: 'MIT' }],
    [/^\/label\/templates\//, { name: 'Default' }],
    [/^\/users\/\{username\}\/following/, { target: stranger.name }],
    [/user-id/, { 'user-id': id }],
  ];
}
