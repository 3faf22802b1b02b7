// Attachments of issues and comments: names by query and by form, forbidden types, renaming, downloads with their headers.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await bob.must('POST', `${repo}/issues`, { title: 'one' });
  const comment = await alice.must('POST', `${repo}/issues/1/comments`, { body: 'hello' });
  const file = (filename, content = 'text\n', type = 'text/plain') => ({ form: { attachment: { content, filename, type } } });
  for (const [who, at] of [[bob, `${repo}/issues/1/assets`], [alice, `${repo}/issues/comments/${comment.id}/assets`]]) {
    const first = (await who.request('POST', at, file('a.txt'))).json;
    const named = (await who.request('POST', `${at}?name=other%20name.txt`, file('a.txt'))).json;
    await who.request('POST', `${at}?name=b.md&updated_at=2020-01-02T03:04:05Z`, file('a.txt'));
    await who.request('POST', at, file('größe 😀.txt'));
    await who.request('POST', at, file('../../etc/passwd.txt'));
    await who.request('POST', at, file('run.exe'));
    await who.request('POST', at, file('page.html', '<b>x</b>', 'text/html'));
    await who.request('POST', at, file('picture.png', 'not a picture', 'image/png'));
    await who.request('POST', at, file('empty.txt', ''));
    await who.request('POST', `${at}?name=no-extension`, file('a.txt'));
    await who.get(at, { body: (list) => list.map(({ name, size }) => `${name.slice(0, 40)} ${size}`) });
    await t.anonymous.get(at, { body: (list) => list.length });
    const link = `/${new URL(first.browser_download_url).pathname}`;
    await who.get(`${at}/${first.id}`);
    await who.patch(`${at}/${first.id}`, { name: 'renamed.md' });
    await who.patch(`${at}/${first.id}`, { name: 'renamed.exe' });
    await who.patch(`${at}/${first.id}`, { name: '' });
    await who.patch(`${at}/${first.id}`, {});
    await who.patch(`${at}/999999999`, { name: 'x.txt' });
    await who.get(`${at}/x`);
    await alice.patch(`${at}/${first.id}`, { name: 'owner.txt' }, { body: ({ name }) => name });
    await t.anonymous.get(link, { label: 'download' });
    await t.anonymous.head(link, { label: 'download' });
    await t.anonymous.with({ range: 'bytes=1-2' }).get(link, { label: 'download of a part' });
    await t.anonymous.delete(`${at}/${first.id}`);
    await who.delete(`${at}/${first.id}`);
    await who.delete(`${at}/${first.id}`);
    await who.get(`${at}/${first.id}`);
    await alice.delete(`${at}/${named.id}`);
    await t.anonymous.get(link, { label: 'download of what is gone' });
  }
  await bob.get(`${repo}/issues/1`, { body: ({ assets }) => assets.map(({ name }) => name.slice(0, 40)) });
  await bob.get(`${repo}/issues/comments/${comment.id}`, { body: ({ assets }) => assets.map(({ name }) => name.slice(0, 40)) });
  await bob.get(`${repo}/issues/1/timeline`, { body: (list) => list.map(({ type, updated_at }) => `${type}`) });
}
