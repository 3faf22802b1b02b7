// Creating repositories with every field: licenses, ignores, labels, readmes, formats, trust, templates; for oneself, an organization, a user.
export default async function (t) {
  const alice = await t.user('alice', { full_name: 'Alice Liddell' });
  const org = await t.org(alice, 'org');
  const make = (fields, at = '/user/repos', who = alice) => who.post(at, fields);
  await make({ name: 'bare' });
  await make({ name: 'full', description: 'd ä 😀', private: true, auto_init: true, default_branch: 'trunk', gitignores: 'Go,Node', license: 'MIT', readme: 'Default', issue_labels: 'Default', trust_model: 'collaborator', object_format_name: 'sha1', template: true });
  await alice.get(`/repos/${alice.name}/full/contents?ref=trunk`, { body: (list) => list.map(({ name }) => name) });
  await alice.get(`/repos/${alice.name}/full/labels`, { body: (list) => list.map(({ name, color, exclusive, is_archived }) => ({ name, color, exclusive, is_archived })) });
  await alice.get(`/repos/${alice.name}/full/raw/LICENSE`, { body: 'ignore' });
  await alice.get(`/repos/${alice.name}/full/raw/README.md`);
  await alice.get(`/repos/${alice.name}/full/languages`);
  await alice.get(`/repos/${alice.name}/full/licenses`);
  await make({ name: 'advanced', issue_labels: 'Advanced' });
  await alice.get(`/repos/${alice.name}/advanced/labels?limit=50`, { body: (list) => list.map(({ name, color, exclusive, description }) => ({ name, color, exclusive, description })) });
  const wrong = [{ trust_model: 'everybody' }, { gitignores: 'Nothing' }, { license: 'Nothing' }, { readme: 'Nothing' }, { issue_labels: 'Nothing' }, { default_branch: 'a b' }, { default_branch: 'refs/heads/main' }, { description: 'd'.repeat(2049) }];
  let n = 0;
  for (const fields of wrong) await make({ name: `wrong${n++}`, ...fields });
  for (const fields of [wrong[0], wrong[3], wrong[5]]) await make({ name: `wrong${n++}`, auto_init: true, ...fields });
  for (const name of ['', ' ', '.', '-', '_', 'a b', 'a/b', 'ä', 'x.git', 'x.wiki', 'x.rss', 'x.atom', '.git', '.profile', 'demo.', '-demo', 'DEMO', 'x'.repeat(100), 'settings', 'new', 'assets']) await make({ name });
  await make({ name: 'BARE' });
  await make({ name: 'forked', auto_init: true, private: null, description: null });
  await make({ name: 'in-org', auto_init: true, private: true }, `/orgs/${org}/repos`);
  await make({ name: 'in-org' }, `/orgs/${org}/repos`);
  await make({ name: 'old-way' }, `/org/${org}/repos`);
  await make({ name: 'nowhere' }, `/orgs/nobody-${t.run}/repos`);
  await make({ name: 'by-admin', auto_init: true, readme: 'Default' }, `/admin/users/${alice.name}/repos`, t.admin);
  await make({ name: 'by-admin' }, `/admin/users/${alice.name}/repos`, t.admin);
  await make({ name: 'by-admin' }, `/admin/users/${org}/repos`, t.admin);
  await make({ name: 'by-admin' }, `/admin/users/nobody-${t.run}/repos`, t.admin);
  await make({ name: 'anon' }, undefined, t.anonymous);
  await alice.get(`/users/${alice.name}/repos?limit=50`, { body: (list) => list.map(({ name, empty, private: hidden, default_branch, object_format_name, template }) => ({ name: name.slice(0, 10), empty, hidden, default_branch, object_format_name, template })).sort((a, b) => (a.name < b.name ? -1 : 1)) });
}
