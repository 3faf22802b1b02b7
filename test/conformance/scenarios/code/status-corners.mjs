// Commit statuses and their combination: every state, contexts that replace each other, orders, pages, refs of every kind.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  const { sha } = await alice.push(`${alice.name}/demo`, { branch: 'feature/x', from: 'main', files: { 'a.txt': 'a\n' }, tag: 'v1' });
  const post = (fields, who = alice) => who.post(`${repo}/statuses/${sha}`, fields);
  const combined = { body: ({ state, total_count, statuses }) => ({ state, total_count, statuses: statuses?.map(({ context, status }) => `${context} ${status}`) }) };
  await alice.get(`${repo}/commits/${sha}/status`);
  await alice.get(`${repo}/commits/${sha}/statuses`);
  for (const state of ['pending', 'success', 'warning', 'failure', 'error', 'skipped', 'success']) {
    await post({ state, context: 'ci', description: `is ${state}`, target_url: 'https://example.com/1' });
    await alice.get(`${repo}/commits/${sha}/status`, combined);
  }
  for (const [context, state] of [['lint', 'skipped'], ['test', 'warning'], ['build', 'pending'], ['deploy', 'failure'], ['scan', 'error']]) {
    await post({ state, context });
    await alice.get(`${repo}/commits/${sha}/status`, combined);
  }
  await post({ state: 'success' });
  await post({ state: 'success', context: '' });
  await post({ state: 'success', context: 'c'.repeat(300) }, alice);
  await post({ state: 'success', context: 'long', description: 'd'.repeat(1100), target_url: 'no url' });
  await post({ state: 'success', context: 'by bob' }, bob);
  await t.anonymous.post(`${repo}/statuses/${sha}`, { state: 'success' });
  await alice.post(`${repo}/statuses/main`, { state: 'success', context: 'by name' });
  await alice.post(`${repo}/statuses/${sha.slice(0, 10)}`, { state: 'success', context: 'short id' }, { label: `${repo}/statuses/{short}` });
  const list = { body: (all) => all.map(({ context, status }) => `${context.slice(0, 20)} ${status}`) };
  for (const query of ['', 'sort=oldest', 'sort=leastindex', 'sort=highestindex', 'state=success', 'state=pending', 'state=bogus', 'state=error', 'limit=2', 'limit=2&page=2', 'limit=2&page=99', 'limit=0', 'page=0', 'page=x']) {
    await alice.get(`${repo}/statuses/${sha}?sort=leastindex&${query}`.replace('sort=leastindex&sort', 'sort').replace('sort=leastindex&&', 'sort=leastindex&'), list);
  }
  for (const ref of ['feature/x', 'v1', sha, 'heads/feature/x', 'refs/heads/feature/x', 'tags/v1', 'refs/tags/v1', 'nothing', 'f'.repeat(40)]) {
    await alice.get(`${repo}/commits/${ref}/status?limit=50`, combined);
    await alice.get(`${repo}/commits/${ref}/statuses?sort=leastindex&limit=1`, list);
    await alice.get(`${repo}/statuses/${ref}?sort=leastindex&limit=1`, list);
  }
  await bob.get(`${repo}/commits/feature/x/status`, combined);
}
