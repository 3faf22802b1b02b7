// The combined status of a page is that of the checks on it.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  const { id: sha } = (await alice.must('GET', `${demo}/branches/main`)).commit;
  for (const [context, state] of [['lint', 'error'], ['unit', 'failure'], ['docs', 'warning'], ['build', 'success'], ['deploy', 'pending']]) {
    await alice.must('POST', `${demo}/statuses/${sha}`, { context, state });
  }
  const brief = ({ state, total_count, statuses }) => ({ state, total_count, statuses: statuses?.map(({ context, status }) => `${context} ${status}`) });
  for (const query of ['', '?limit=1', '?limit=2', '?limit=2&page=2', '?limit=2&page=3', '?limit=2&page=4', '?page=2', '?limit=0', '?page=-1&limit=3']) {
    await alice.get(`${demo}/commits/main/status${query}`, { body: brief });
  }
}
