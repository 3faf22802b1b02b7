// Pushes that delete refs which do not exist, by their full names: git's client sends them, and git reports them as deleted.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  const repo = `${alice.name}/demo`;
  await alice.repo('demo');
  await alice.must('POST', `/repos/${repo}/branch_protections`, { rule_name: 'kept/*', enable_push: true });
  await alice.must('POST', `/repos/${repo}/tag_protections`, { name_pattern: 'v*', whitelist_usernames: [bob.name] });
  const push = async (label, who, ...refs) => {
    const folder = await who.clone(repo);
    const { code, told, stderr } = await who.git(['push', who.remote(repo), ...refs], folder);
    t.record(label, { code, told, deleted: (stderr.match(/^ - \[deleted\] +(.*)$/gm) ?? []).map((line) => line.split(/ +/).at(-1)) });
  };

  await push('a branch', alice, ':refs/heads/none');
  await push('a tag', alice, ':refs/tags/none');
  await push('another ref', alice, ':refs/other/none');
  await push('a branch beside a new one', alice, ':refs/heads/none', 'HEAD:refs/heads/made');
  await push('a branch beside one that exists', alice, ':refs/heads/none', ':refs/heads/made');
  await push('all or none', alice, '--atomic', ':refs/heads/none', 'HEAD:refs/heads/together');
  await push('a protected branch', alice, ':refs/heads/kept/none');
  await push('a protected tag', alice, ':refs/tags/v1');
  await push('a pull request to be', alice, ':refs/for/main/none');
  await push('without the right', bob, ':refs/heads/none');
  await alice.get(`/repos/${repo}/branches`, { body: (_, json) => json.map(({ name }) => name) });
}
