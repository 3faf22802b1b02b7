// Pull mirrors, push mirrors and migrations: unusual fields, values and addresses.
export default async function (t) {
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((name) => t.user(name)));
  await alice.repo('source', { auto_init: false });
  const source = `${alice.name}/source`;
  await alice.push(source, { files: { 'a.txt': 'a\n' }, message: 'First', date: '2024-01-01T00:00:00+00:00' });
  const clone_addr = `${t.base}/${source}.git`;
  const brief = ({ full_name, private: hidden, mirror, mirror_interval, original_url, description, empty, has_issues, has_pull_requests, has_wiki, has_releases, has_projects, has_packages, has_actions, default_branch, internal, archived, website, release_counter, permissions }) => ({ full_name, hidden, mirror, mirror_interval, original_url, description, empty, has_issues, has_pull_requests, has_wiki, has_releases, has_projects, has_packages, has_actions, default_branch, internal, archived, website, release_counter, permissions });
  const migrate = (name, fields, caller = bob, options = {}) => caller.post('/repos/migrate', { clone_addr, ...fields }, { body: brief, label: `migrate: ${name}`, ...options });

  // Migrations
  await migrate('mirror', { repo_name: 'mirror', mirror: true, private: true, description: 'd', mirror_interval: '12h' });
  await migrate('minutes', { repo_name: 'minutes', mirror: true, mirror_interval: '10m' });
  await migrate('an empty interval', { repo_name: 'm4', mirror: true, mirror_interval: '' });
  await migrate('an interval, but no mirror', { repo_name: 'm6', mirror_interval: 'soon' });
  await migrate('a fraction', { repo_name: 'm7', mirror: true, mirror_interval: '10.5h' });
  await migrate('issues and more', { repo_name: 'm8', issues: true, labels: true, milestones: true, pull_requests: true, releases: true });
  await migrate('issues and more, mirror', { repo_name: 'm9', mirror: true, issues: true, labels: true, releases: true, wiki: true });
  await migrate('large files', { repo_name: 'large', lfs: true });
  await migrate('large files at an endpoint', { repo_name: 'large2', lfs: true, lfs_endpoint: `${clone_addr}/info/lfs` });
  await migrate('an empty service', { repo_name: 's2', service: '' });
  await migrate('an aws key', { repo_name: 's5', aws_access_key_id: 'x' });
  await migrate('no name', { repo_name: '' });
  await migrate('name with .git', { repo_name: 'x.git' });
  await migrate('name in another case', { repo_name: 'MIRROR' });
  await migrate('no address', { clone_addr: '', repo_name: 'x' });
  await migrate('an unknown uid', { repo_name: 'x', uid: 99999999 });
  await migrate("another's uid", { repo_name: 'x', uid: (await alice.must('GET', '/user')).id });
  await migrate('a text for uid', { repo_name: 'x', uid: 'x' });
  await migrate('a text for mirror', { repo_name: 'x', mirror: 'yes' });
  await migrate('a number for the name', { repo_name: 1 });
  await migrate('both owners', { repo_name: 'both', uid: (await alice.must('GET', '/user')).id, repo_owner: bob.name });
  await migrate('an empty owner', { repo_name: 'own', repo_owner: '' });
  await migrate('credentials in the address', { repo_name: 'cred', clone_addr: clone_addr.replace('://', `://${alice.name}:${encodeURIComponent(alice.password)}@`) });
  for (const address of ['-oProxyCommand=x', '--upload-pack=x', '//127.0.0.1/x', 'git@127.0.0.1:x/y.git', 'javascript:alert(1)', 'ext::sh -c x']) await migrate(address, { clone_addr: address, repo_name: 'x' });
  await migrate('the same by an admin', { clone_addr: '/etc', repo_name: 'x' }, t.admin);
  const limited = await t.user('limited');
  await t.admin.must('PATCH', `/admin/users/${limited.name}`, { source_id: 0, login_name: limited.name, max_repo_creation: 0 });
  await migrate('beyond the limit', { repo_name: 'x' }, limited);
  await t.admin.must('PATCH', `/admin/users/${limited.name}`, { source_id: 0, login_name: limited.name, max_repo_creation: -1, restricted: true });
  await migrate('by a restricted user', { repo_name: 'restricted' }, limited);
  await migrate('a token for users', { repo_name: 'x' }, await bob.token(['write:user']));
  await migrate('mirror for an organization', { repo_name: 'mirror', mirror: true, repo_owner: await t.org(bob, 'org') });

  // Pull mirrors
  const mirror = `/repos/${bob.name}/mirror`;
  await bob.get(mirror, { body: brief });
  await bob.get(mirror, { body: (json) => Object.keys(json).sort() });
  const patch = (name, fields, path = mirror, caller = bob) => caller.patch(path, fields, { body: brief, label: `edit: ${name}` });
  for (const mirror_interval of ['', '0', '0h', '9m59s', '10m', '600', '-1h', '1d', '1h ', ' 1h', '1H', '9999999999h', '+1h', '.5h', '1.h', '900000ms']) await patch(`interval ${JSON.stringify(mirror_interval)}`, { mirror_interval });
  await patch('a number for the interval', { mirror_interval: 8 });
  await patch('null', { mirror_interval: null, enable_prune: null });
  await patch('a text for enable_prune', { enable_prune: 'yes' });
  await patch('pruning', { enable_prune: true });
  await bob.get(mirror, { body: brief });
  await patch('archive', { archived: true });
  await patch('units', { has_issues: true, has_wiki: true, has_projects: true, has_releases: true, has_packages: true });
  await patch('pull requests', { has_pull_requests: true });
  await patch('actions', { has_actions: true });
  await patch('default branch', { default_branch: 'none' });
  await patch('private', { private: false, website: 'http://example.com' });
  await patch('name', { name: 'renamed' });
  await bob.post(`/repos/${bob.name}/renamed/mirror-sync`);
  await bob.post(`${mirror}/mirror-sync`);
  await bob.post(`/repos/${bob.name}/none/mirror-sync`);
  await alice.post(`/repos/${bob.name}/renamed/mirror-sync`);
  await patch('interval of no mirror', { mirror_interval: '1s', enable_prune: false }, `/repos/${source}`, alice);
  const renamed = `/repos/${bob.name}/renamed`;
  await bob.post(`${renamed}/push_mirrors`, { remote_address: `${t.base}/${bob.name}/none.git`, interval: '8h' }, { body: ({ remote_address, interval }) => ({ remote_address, interval }) });
  await bob.post(`${renamed}/transfer`, { new_owner: alice.name }, { body: ({ mirror: still }) => still });
}
