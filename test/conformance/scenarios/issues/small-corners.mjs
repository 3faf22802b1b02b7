// A file that belongs to something else, and times of long ago.
export default async function (t) {
  const [alice, bob] = await Promise.all([t.user('alice'), t.user('bob')]);
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  for (const title of ['one', 'two']) await alice.must('POST', `${repo}/issues`, { title });
  const [one, two] = [await alice.must('POST', `${repo}/issues/1/comments`, { body: 'a' }), await alice.must('POST', `${repo}/issues/2/comments`, { body: 'b' })];
  const release = await alice.must('POST', `${repo}/releases`, { tag_name: 'v1' });
  const form = { attachment: { content: 'text', filename: 'a.txt' } };
  const places = { issue: `${repo}/issues/2/assets`, comment: `${repo}/issues/comments/${two.id}/assets`, release: `${repo}/releases/${release.id}/assets` };
  for (const [name, path] of Object.entries(places)) {
    const { id } = await alice.must('POST', path, undefined, { form });
    for (const other of [`${repo}/issues/comments/${one.id}/assets`, `${repo}/issues/1/assets`, `${repo}/releases/${release.id}/assets`])
      await alice.get(`${other}/${id}`, { label: `a file of a ${name} at ${other.replace(/\d+\/assets/, '{id}/assets')}` });
  }
  for (const created of ['1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1969-12-31T00:00:00Z'])
    await alice.post(`${repo}/issues/1/times`, { time: 60, created }, { body: (time) => [time.time, time.created.slice(0, 4) < '2022' ? time.created.replace('T', ' ') : 'now'], label: `time of ${created}` });
  await bob.get(`${repo}/issues/1/times`);
}
