// The name of an uploaded file by the query, by a field of the form before and after the file, and by both.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.must('POST', `${repo}/issues`, { title: 'One' });
  const comment = await alice.must('POST', `${repo}/issues/1/comments`, { body: 'hello' });
  const release = await alice.must('POST', `${repo}/releases`, { tag_name: 'v1' });
  const attachment = { content: 'text\n', filename: 'file.txt', type: 'text/plain' };
  for (const at of [`${repo}/releases/${release.id}/assets`, `${repo}/issues/1/assets`, `${repo}/issues/comments/${comment.id}/assets`]) {
    await alice.post(at, undefined, { form: { name: 'before.txt', attachment } });
    await alice.post(at, undefined, { form: { attachment, name: 'after.md' } });
    await alice.post(`${at}?name=query.txt`, undefined, { form: { name: 'form.txt', attachment } });
    await alice.post(`${at}?name=`, undefined, { form: { name: 'form.txt', attachment } });
    await alice.post(at, undefined, { form: { name: '', attachment } });
    await alice.post(at, undefined, { form: { name: 'bad.exe', attachment } });
    await alice.post(at, undefined, { form: { attachment, name: 'bad.exe' } });
    await alice.get(at, { body: (list) => list.map(({ name, size }) => `${name} ${size}`) });
  }
}
