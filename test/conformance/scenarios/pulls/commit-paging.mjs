// The commits of a pull request page by page, with and without their files and verification; after a force push and from a fork.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await bob.must('POST', `${repo}/forks`, { name: 'mine' });
  for (let i = 1; i <= 4; i++) t.name((await bob.push(`${bob.name}/mine`, { branch: 'topic', from: 'main', files: { [`${i}.txt`]: `${i}\n` }, message: `Step ${i}\n\nBody ${i}`, date: `2024-01-0${i}T00:00:00Z` })).sha, `step ${i}`);
  await bob.post(`${repo}/pulls`, { head: `${bob.name}:topic`, base: 'main', title: 'From a fork' }, { body: ({ head, base, mergeable, ...rest }) => ({ head: [head.label, head.ref, head.sha, head.repo.full_name], base: base.label, allow: rest.allow_maintainer_edit }) });
  const short = { body: (list) => list.map(({ sha, commit, files, stats }) => ({ sha, message: commit.message, files: files?.map(({ filename }) => filename), stats, verification: commit.verification && Object.keys(commit.verification) })) };
  for (const query of ['', 'limit=2', 'limit=2&page=2', 'limit=2&page=3', 'files=false', 'verification=false', 'files=false&verification=false&limit=1', 'files=0', 'limit=0', 'limit=-1', 'page=-1', 'limit=1000']) await alice.get(`${repo}/pulls/1/commits?${query}`, short);
  await alice.get(`${repo}/pulls/1/commits?limit=1`);
  await alice.get(`${repo}/pulls/9/commits`);
  const folder = await bob.clone(`${bob.name}/mine`);
  await bob.git(['checkout', '-q', '-B', 'topic', 'origin/topic~2'], folder);
  await bob.git(['push', '-q', '-f', 'origin', 'topic'], folder);
  await alice.get(`${repo}/pulls/1/commits`, { ...short, until: ({ json }) => json.length === 2 });
  await alice.get(`${repo}/pulls/1`, { body: ({ head, commits, changed_files }) => ({ sha: head.sha, commits, changed_files }), until: ({ json }) => json.changed_files === 2 });
  await bob.patch(`${repo}/pulls/1`, { allow_maintainer_edit: true }, { body: ({ allow_maintainer_edit }) => allow_maintainer_edit });
  await alice.patch(`${repo}/pulls/1`, { allow_maintainer_edit: false }, { body: 'ignore' });
  await alice.push(`${bob.name}/mine`, { branch: 'topic', files: { 'maintainer.txt': 'x\n' } });
  await alice.get(`${repo}/pulls/1/commits`, { body: (list) => list.length });
  await bob.must('DELETE', `/repos/${bob.name}/mine`);
  await alice.get(`${repo}/pulls/1`, { body: ({ head, state }) => ({ label: head.label, ref: head.ref, repo: head.repo, state }) });
  await alice.get(`${repo}/pulls/1/commits`, { body: (list) => list.length });
  await alice.get(`${repo}/pulls/1/files`, { body: (list) => list.map(({ filename }) => filename) });
}
