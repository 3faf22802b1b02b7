// Pull requests made by a push to refs/for: topic, title and description as push options, updating, forcing, closing, and who may.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const name = `${alice.name}/demo`;
  const repo = `/repos/${name}`;
  const push = async (who, files, ref, options, base = 'origin/main') => {
    const folder = await who.clone(name);
    const git = (...args) => who.git(args, folder);
    await git('checkout', '-q', '-b', 'work', base);
    for (const [file, text] of Object.entries(files)) {
      await (await import('node:fs/promises')).writeFile(`${folder}/${file}`, text);
      await git('add', file);
      await git('commit', '-q', '-m', `Add ${file}\n\nWhy ${file} is needed`);
    }
    const { code } = await git('push', '-q', ...options.flatMap((option) => ['-o', option]), 'origin', `HEAD:${ref}`);
    return { folder, code };
  };
  const fields = { body: ({ title, body, state, head, base, user, allow_maintainer_edit, draft }) => ({ title, body, state, draft, user: user.login, head: [head.label, head.ref, head.repo?.full_name], base: base.ref, allow_maintainer_edit }) };
  t.record('by a stranger', { code: (await push(bob, { 'a.txt': 'a\n' }, 'refs/for/main', ['topic=first'])).code });
  await alice.get(`${repo}/pulls/1`, fields);
  t.record('with a title', { code: (await push(bob, { 'b.txt': 'b\n' }, 'refs/for/main', ['topic=second', 'title=A title', 'description=What it does'])).code });
  await alice.get(`${repo}/pulls/2`, fields);
  t.record('with the topic in the ref', { code: (await push(alice, { 'c.txt': 'c\n' }, 'refs/for/main/third', [])).code });
  await alice.get(`${repo}/pulls/3`, fields);
  t.record('of several commits', { code: (await push(alice, { 'd.txt': 'd\n', 'e.txt': 'e\n' }, 'refs/for/main/fourth', [])).code });
  await alice.get(`${repo}/pulls/4`, fields);
  t.record('to a branch that does not exist', { code: (await push(bob, { 'f.txt': 'f\n' }, 'refs/for/nothing/fifth', [])).code });
  t.record('without a topic', { code: (await push(bob, { 'g.txt': 'g\n' }, 'refs/for/main', [])).code });
  t.record('a draft', { code: (await push(bob, { 'h.txt': 'h\n' }, 'refs/draft/main/sixth', ['title=Later'])).code });
  t.record('for review', { code: (await push(bob, { 'i.txt': 'i\n' }, 'refs/for-review/main/seventh', ['title=Review'])).code });
  await alice.get(`${repo}/pulls?state=all&sort=oldest`, { body: (list) => list.map(({ title, user, head }) => [title, user.login, head.label]) });
  await alice.get(`${repo}/branches`, { body: (list) => list.map(({ name }) => name) });
  // The same topic again updates the pull request; other history needs force.
  const again = await push(bob, { 'a.txt': 'a\n', 'a2.txt': 'a2\n' }, 'refs/for/main', ['topic=first']);
  t.record('other history without force', { code: again.code });
  t.record('other history with force', { code: (await bob.git(['push', '-q', '-o', 'topic=first', '-o', 'force-push=true', 'origin', 'HEAD:refs/for/main'], again.folder)).code });
  await alice.get(`${repo}/pulls/1/commits`, { body: (list) => list.map(({ commit }) => commit.message) });
  t.record('nothing new', { code: (await bob.git(['push', '-q', '-o', 'topic=first', 'origin', 'HEAD:refs/for/main'], again.folder)).code });
  await alice.get(`${repo}/pulls/1/files`, { body: (list) => list.map(({ filename }) => filename) });
  await alice.get(`${repo}/issues/1/timeline`, { body: (list) => list.map(({ type, user }) => `${type} ${user.login}`) });
  await alice.post(`${repo}/pulls/2/merge`, { Do: 'squash' }, { until: ({ text }) => !text.includes('try again later') });
  await alice.get(`${repo}/pulls/2`, { body: ({ state, merged, head }) => ({ state, merged, label: head.label }) });
  await bob.get(`${repo}/pulls/${bob.name}%2Fsecond`, { body: 'ignore' });
}
