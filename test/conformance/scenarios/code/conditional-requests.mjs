// Conditional and partial requests of raw files, archives, attachments and avatars; languages that change nothing in the API.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.push(`${alice.name}/demo`, { files: { 'ten.txt': '0123456789' }, tag: 'v1' });
  await alice.must('POST', `${repo}/issues`, { title: 'one' });
  const file = await alice.must('POST', `${repo}/issues/1/assets`, undefined, { form: { attachment: { content: '0123456789', filename: 'ten.txt' } } });
  const rel = await alice.must('POST', `${repo}/releases`, { tag_name: 'v1', name: 'One' });
  await alice.must('POST', `${repo}/releases/${rel.id}/assets?name=ten.txt`, undefined, { form: { attachment: { content: '0123456789', filename: 'a.txt' } } });
  const places = { 'API raw': `${repo}/raw/ten.txt`, 'API media': `${repo}/media/ten.txt`, raw: `//${alice.name}/demo/raw/branch/main/ten.txt`, media: `//${alice.name}/demo/media/branch/main/ten.txt`, attachment: `/${new URL(file.browser_download_url).pathname}`, release: `//${alice.name}/demo/releases/download/v1/ten.txt`, archive: `//${alice.name}/demo/archive/v1.zip`, 'API archive': `${repo}/archive/v1.zip` };
  for (const [what, path] of Object.entries(places)) {
    const isArchive = what.includes('archive');
    const plain = await t.anonymous.send('GET', path);
    const etag = plain.headers.get('etag');
    const since = plain.headers.get('last-modified');
    if (!isArchive) t.record(`${what} has`, { etag: etag !== null, modified: since !== null, ranges: plain.headers.get('accept-ranges'), cache: plain.headers.get('cache-control') });
    const get = (headers, label) => t.anonymous.with(headers).get(path, { label: `${what} ${label}`, body: isArchive ? 'size' : 'auto' });
    if (!isArchive) await get({ 'if-none-match': etag ?? '"x"' }, 'with its tag');
    await get({ 'if-none-match': '"other"' }, 'with another tag');
    if (!isArchive) await get({ 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' }, 'since later');
    await get({ 'if-modified-since': 'Thu, 01 Jan 1980 00:00:00 GMT' }, 'since earlier');
    await get({ 'if-modified-since': 'nonsense' }, 'since nonsense');
    if (!isArchive) for (const range of ['bytes=0-3', 'bytes=5-', 'items=1-2']) await get({ range }, range);
    await t.anonymous.head(path, { label: what, body: 'ignore' });
  }
  for (const language of ['de-DE', 'fr', 'xx', '*']) {
    await alice.with({ 'accept-language': language }).get(`${repo}/issues/99`);
    await alice.with({ 'accept-language': language }).post(`${repo}/issues`, {});
  }
  for (const accept of ['text/html', 'application/xml', '*/*', 'image/png', '']) await alice.with({ accept }).get(`${repo}/issues/99`);
  for (const encoding of ['gzip', 'identity', 'br', 'nonsense']) await alice.with({ 'accept-encoding': encoding }).get(`${repo}/branches/main`, { body: ({ name }) => name });
  await alice.with({ 'x-http-method-override': 'DELETE' }).post(`${repo}/issues/1`, {}, { body: 'ignore' });
  await alice.get(`${repo}/issues/1?access_token=x`, { body: ({ title }) => title });
  await t.anonymous.get(`${repo}/issues/1?_=1&unknown=2`, { body: ({ title }) => title });
}
