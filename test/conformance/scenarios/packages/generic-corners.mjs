// Corners of the generic registry: names, ranges, HEAD, conditions, publishing again after deletion, several versions.
export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/generic`;
  const put = (path, raw = path, options = {}) => owner.put(`${base}/${path}`, undefined, { raw, ...options });
  const name = (text) => encodeURIComponent(text);
  // names
  for (const path of ['a/1/f', 'A.b_c-d/1/f', `${name('a+b')}/1/f`, `${name('@a')}/1/f`, `${name('.a')}/1/f`, `${name('-')}/1/f`, `_/1/f`, `${'n'.repeat(255)}/1/f`]) await put(path, 'x');
  for (const version of ['1.0', 'v1', 'latest', '1.0+b', '1 0', '1.0 ', '.', '..', '-', '1/2', 'ä', '日本', 'v'.repeat(255), '1:2', '#1', '1?2', '1%2']) await put(`v/${name(version)}/f`, 'x');
  for (const file of ['.hidden', '..', '.', '-', 'a b', 'a  b', 'trail ', 'a/b', 'ä.txt', '日本', 'a"b', "a'b", 'a<b>', 'a:b', 'a*b', 'a\\b', 'a\tb', '~a', 'a#b?c', '%41', 'f'.repeat(200), '{a}', 'a=b', 'a,b;c', 'a$b!', 'a@b^', '`a']) await put(`f/1/${name(file)}`, 'x');
  await t.anonymous.get(`${base}/f/1/${name('ä.txt')}`);
  await t.anonymous.get(`${base}/f/1/${name('a b')}`);
  await t.anonymous.get(`${base}/f/1/${name("a'b")}`);
  await t.anonymous.get(`${base}/f/1/${name('a=b')}`);
  await owner.get(`/packages/${owner.name}/generic/f/1/files`, { body: (json) => json.map((file) => file.name).sort() });

  // reading
  await put('r/1/data.json', '{"a":1}', { type: 'application/json' });
  await put('r/1/page.html', '<html>hi</html>', { type: 'text/html' });
  await put('r/1/pic.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', { type: 'image/svg+xml' });
  await put('r/1/pic.png', Buffer.from('89504e470d0a1a0a', 'hex'));
  await put('r/1/doc.pdf', '%PDF-1.4');
  await put('r/1/ten', '0123456789');
  for (const file of ['data.json', 'page.html', 'pic.svg', 'pic.png', 'doc.pdf']) await t.anonymous.get(`${base}/r/1/${file}`, { body: 'sha256' });
  const ranged = async (range, more = {}) => {
    const answer = await t.anonymous.send('GET', `${base}/r/1/ten`, { headers: { ...(range && { range }), ...more } });
    const header = (key) => answer.headers.get(key) ?? undefined;
    t.record(`range ${range} ${Object.keys(more)}`, { status: answer.status, text: answer.text, range: header('content-range'), length: header('content-length'), accept: header('accept-ranges') });
    return answer;
  };
  const whole = await ranged('');
  for (const range of ['bytes=0-0', 'bytes=5-', 'bytes=-3', 'bytes=8-20', 'bytes=10-', 'bytes=20-30', 'bytes=5-2', 'bytes=x', 'bytes=-20', 'bytes=']) await ranged(range);
  t.record('validators', { modified: whole.headers.has('last-modified'), type: whole.headers.get('content-type') });
  await ranged('', { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() });
  await ranged('', { 'if-modified-since': new Date(Date.now() - 3_600_000).toUTCString() });
  await ranged('', { 'if-unmodified-since': new Date(Date.now() - 3_600_000).toUTCString() });
  await ranged('bytes=0-1', { 'if-range': new Date(Date.now() - 3_600_000).toUTCString() });
  for (const method of ['HEAD', 'POST', 'PATCH']) {
    const answer = await owner.send(method, `${base}/r/1/ten`, method === 'HEAD' ? {} : { raw: 'x' });
    t.record(`${method} of a file`, { status: answer.status, length: method === 'HEAD' ? answer.headers.get('content-length') : undefined });
  }
  await owner.head(`${base}/r/1/none`);
  await owner.head(`${base}/r/2/ten`);
  await owner.get(`${base}/r/1`);
  await owner.get(`${base}/r`);
  await owner.get(`${base}/r/1/`);

  // publishing again
  await owner.delete(`${base}/r/1/ten`);
  await put('r/1/ten', 'again');
  await t.anonymous.get(`${base}/r/1/ten`);
  await put('one/1/f', 'first');
  await put('one/1/F', 'second');
  await put('ONE/1/g', 'third');
  await owner.get(`/packages/${owner.name}/generic/one/1/files`, { body: (json) => json.map((file) => file.name).sort() });
  await owner.delete(`${base}/ONE/1/F`);
  await owner.delete(`${base}/one/1/g`);
  await owner.get(`/packages/${owner.name}/generic/one/1`);
  await put('one/1/f', 'other bytes');
  await t.anonymous.get(`${base}/one/1/f`);
  await owner.delete(`${base}/one/1`);
  await owner.delete(`${base}/one/1/f`);
  await owner.delete(`${base}/none/1`);
  await put('one/2/f');
  await put('one/1/f');
  await owner.get(`/packages/${owner.name}/generic/one`, { body: (json) => json.map(({ version }) => version) });
  await owner.get(`/packages/${owner.name}/generic/one/-/latest`, { body: ({ version }) => version });
  const { json } = await owner.send('GET', `/packages/${owner.name}/generic/one/1`);
  t.record('a page of a version', new URL(json.html_url).pathname.replace(/\d+$/, ''));
}
