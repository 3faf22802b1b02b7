// The order of threads that were updated in the same second: all that a request marks.
export default async function (t) {
  const [alice, bob] = await Promise.all([t.user('alice'), t.user('bob')]);
  await alice.repo('demo');
  for (const title of ['one', 'two', 'three']) {
    await bob.must('POST', `/repos/${alice.name}/demo/issues`, { title });
    await t.eventually(
      () => alice.send('GET', '/notifications?all=true'),
      ({ json }) => json.some(({ subject }) => subject.title === title),
    );
  }
  const titles = (threads) => threads.map(({ subject, unread, pinned }) => ({ title: subject.title, unread, pinned }));
  for (const status of ['pinned', 'read', 'unread']) {
    await alice.must('PUT', `/notifications?all=true&to-status=${status}`);
    for (const query of ['', '?all=true', '?all=true&limit=2', '?all=true&limit=2&page=2', '?status-types=read', '?status-types=pinned'])
      await alice.get(`/notifications${query}`, { body: titles });
    await alice.get(`/repos/${alice.name}/demo/notifications?all=true`, { body: titles });
  }
}
