// The default branch of repositories that are made of a template without its files.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('model', { template: true });
  const brief = { body: ({ default_branch, empty, branch_count }) => ({ default_branch, empty, branch_count }) };
  const make = (fields, options = brief) => alice.post(`/repos/${alice.name}/model/generate`, { owner: alice.name, ...fields }, options);
  await make({ name: 'labels', labels: true }, {});
  await alice.get(`/repos/${alice.name}/labels`, brief);
  await make({ name: 'named', topics: true, default_branch: 'trunk' });
  await make({ name: 'files', git_content: true });
  await alice.get(`/user/repos`, { body: (list) => list.map(({ name, default_branch }) => `${name} ${default_branch}`).sort() });
  await alice.get(`/repos/${alice.name}/labels/branches`);
  await alice.post(`/repos/${alice.name}/labels/contents/a.txt`, { content: 'YQ==', branch: 'first' }, { body: ({ content }) => content.name });
  await alice.get(`/repos/${alice.name}/labels`, brief);
  await make({ name: 'pushed', labels: true });
  await alice.push(`${alice.name}/pushed`, { branch: 'main', files: { 'a.txt': 'a' } });
  await alice.get(`/repos/${alice.name}/pushed`, { ...brief, until: ({ json }) => !json.empty });
}
