import { createHash } from 'node:crypto';

// Large files: unusual bodies, types and ids, filters of the list of locks, archived repositories, and who may use them.
export default async function (t) {
  const [alice, writer, stranger] = await Promise.all(['alice', 'writer', 'stranger'].map((name) => t.user(name)));
  await alice.repo('open');
  await alice.repo('closed', { private: true });
  const [open, closed] = ['open', 'closed'].map((name) => `${alice.name}/${name}`);
  for (const repo of [open, closed]) await alice.must('PUT', `/repos/${repo}/collaborators/${writer.name}`, { permission: 'write' });
  const lfs = (repo) => `//${repo}.git/info/lfs`;
  const media = 'application/vnd.git-lfs+json';
  const object = (text) => {
    const content = `${text} ${t.run}\n`;
    const oid = createHash('sha256').update(content).digest('hex');
    t.name(oid, `oid of ${text}`);
    return { oid, size: Buffer.byteLength(content), content };
  };
  const [one, two] = ['one', 'two'].map(object);
  const speaks = (caller, headers = {}) => caller.with({ accept: media, 'content-type': media, ...headers });
  const actions = ({ objects, ...rest }) => ({ ...rest, objects: objects?.map(({ oid, size, actions: offered, error }) => ({ oid, bytes: size, error, ...(offered && { actions: Object.fromEntries(Object.entries(offered).map(([name, { href }]) => [name, href])) }) })) });
  const batch = (name, caller, body, repo = open) => speaks(caller).post(`${lfs(repo)}/objects/batch`, body, { body: actions, label: `batch: ${name}` });
  const raw = (name, content, type = media) => alice.with({ accept: media }).request('POST', `${lfs(open)}/objects/batch`, { raw: content, type, body: actions, label: `batch: ${name}` });
  const { oid, size } = one;

  // Bodies
  await batch('no operation', alice, { objects: [{ oid, size }] });
  await batch('an empty operation', alice, { operation: '', objects: [{ oid, size }] });
  await batch('no transfers', alice, { operation: 'upload', objects: [{ oid, size }] });
  await batch('no transfers on the list', alice, { operation: 'upload', transfers: [], objects: [{ oid, size }] });
  await batch('unknown transfers', alice, { operation: 'upload', transfers: ['tus', 'custom'], objects: [{ oid, size }] });
  await batch('unknown transfers and basic', alice, { operation: 'upload', transfers: ['tus', 'basic'], objects: [{ oid, size }] });
  await batch('sha256', alice, { operation: 'upload', hash_algo: 'sha256', objects: [{ oid, size }] });
  await batch('with a ref', alice, { operation: 'upload', ref: { name: 'refs/heads/none' }, objects: [{ oid, size }] });
  await batch('no oid', alice, { operation: 'upload', objects: [{ size }] });
  await batch('no size', alice, { operation: 'upload', objects: [{ oid }] });
  await batch('a negative size', alice, { operation: 'upload', objects: [{ oid, size: -1 }] });
  await batch('upper case', alice, { operation: 'upload', objects: [{ oid: 'A'.repeat(64), size }] });
  await batch('a good and a bad one', alice, { operation: 'upload', objects: [{ oid, size }, { oid: 'x', size }] });
  await batch('the same twice', alice, { operation: 'upload', objects: [{ oid, size }, { oid, size }] });
  await batch('a text for objects', alice, { operation: 'upload', objects: 'x' });
  await raw('empty body', '');
  await raw('a list', '[]');
  await raw('null', 'null');
  await raw('as plain JSON', JSON.stringify({ operation: 'upload', objects: [{ oid, size }] }), 'application/json');
  await raw('with a charset', JSON.stringify({ operation: 'upload', objects: [{ oid, size }] }), `${media}; charset=utf-8`);
  const body = { operation: 'upload', objects: [{ oid, size }] };
  for (const accept of ['*/*', 'application/json', `${media}; charset=utf-8`]) await alice.with({ accept, 'content-type': media }).post(`${lfs(open)}/objects/batch`, body, { body: actions, label: `batch: accept ${accept}` });

  // Transfers
  const put = (name, caller, id, bytes, content, headers = {}) => speaks(caller, headers).request('PUT', `${lfs(open)}/objects/${id}/${bytes}`, { raw: content, type: 'application/octet-stream', label: `upload: ${name}` });
  await put('as any accepts', alice, oid, size, one.content, { accept: '*/*' });
  await put('a negative size', alice, oid, '-1', one.content);
  await put('upper case', alice, oid.toUpperCase(), size, one.content);
  await put('whole', alice, oid, size, one.content);
  await put('again', alice, oid, size, one.content);
  await put('by a stranger', stranger, two.oid, two.size, two.content);
  await speaks(alice).get(`${lfs(open)}/objects/${oid}`);
  await speaks(alice).get(`${lfs(open)}/objects/${oid}/name.bin`);
  await t.anonymous.with({ range: 'bytes=4-' }).get(`${lfs(open)}/objects/${oid}`);
  await t.anonymous.with({ range: 'lines=0-2' }).get(`${lfs(open)}/objects/${oid}`);
  await alice.get(`//${open}/info/lfs/objects/${oid}`);
  await t.anonymous.get(`${lfs(closed)}/objects/${oid}`);
  await stranger.get(`${lfs(closed)}/objects/${oid}`);
  await alice.get(`${lfs(closed)}/objects/${oid}`);
  // What another repository has, is not this one's
  await batch('present in another repository', alice, { operation: 'download', objects: [{ oid, size }] }, closed);
  await batch('uploaded to another repository', alice, { operation: 'upload', objects: [{ oid, size }] }, closed);
  await batch('present here', writer, { operation: 'upload', objects: [{ oid, size }] });
  await batch('present with another size', writer, { operation: 'upload', objects: [{ oid, size: size + 1 }] });

  // Verification
  const verify = (name, content, options = {}) => speaks(alice).post(`${lfs(open)}/verify`, content, { label: `verify: ${name}`, ...options });
  await verify('no oid', { size });
  await verify('a bad oid', { oid: 'x', size });
  await verify('bad JSON', undefined, { raw: '{', type: media });
  await verify('as plain JSON', { oid, size }, { headers: { 'content-type': 'application/json' } });
  await verify('no accept', { oid, size }, { headers: { accept: '*/*' } });

  // Locks
  const plain = ({ id, ...lock }) => ({ ...lock, id: typeof id });
  const tidy = { body: (json) => Object.fromEntries(Object.entries(json).map(([key, value]) => [key, key === 'lock' ? plain(value) : Array.isArray(value) ? value.map(plain) : value])) };
  const paths = { body: ({ locks, next_cursor, ...rest }) => ({ ...rest, locks: locks.map(({ path }) => path), next_cursor }) };
  const at = `${lfs(open)}/locks`;
  const lock = (name, content, options = {}) => speaks(alice).post(at, content, { label: `lock: ${name}`, ...tidy, ...options });
  await lock('a path outside', { path: '../../etc/passwd' });
  await lock('an absolute path', { path: '/b.psd' });
  const { json: dotted } = await lock('dots', { path: './c//d.psd' });
  const { json: first } = await lock('a path', { path: 'a.psd', ref: { name: 'refs/heads/main' } });
  await lock('as plain JSON', { path: 'e.psd' }, { headers: { 'content-type': 'application/json' } });
  await lock('no accept', { path: 'f.psd' }, { headers: { accept: '*/*' } });
  await speaks(stranger).post(at, { path: 'g.psd' }, { label: 'lock: by a stranger' });
  const list = (query, caller = alice) => speaks(caller).get(at + query, paths);
  for (const query of ['', '?limit=1', '?limit=0', '?limit=-1', '?limit=x', '?cursor=0', '?cursor=-1', '?cursor=x', '?limit=1000', '?id=0', '?id=999999999', '?path=', '?path=/a.psd', '?path=a.psd&limit=1', '?refspec=refs/heads/main']) await list(query);
  await speaks(alice).get(`${at}?id=${first.lock.id}`, { ...paths, label: `${at}?id={id}` });
  await list('', stranger);
  await alice.with({ accept: '*/*' }).get(at, paths);
  const ours = (name, content, caller = alice, options = {}) => speaks(caller).post(`${at}/verify`, content, { label: `locks/verify: ${name}`, body: (json) => ({ ours: json.ours?.map(({ path }) => path), theirs: json.theirs?.map(({ path }) => path), next_cursor: json.next_cursor, keys: Object.keys(json).sort() }), ...options });
  await ours('nothing asked', {});
  await ours('a bad cursor', { cursor: 'x' });
  await ours('no body', undefined);
  await ours('by a writer', {}, writer);
  await ours('by a stranger', {}, stranger);
  await ours('anonymous', {}, t.anonymous);
  await ours('no accept', {}, alice, { headers: { accept: '*/*' } });
  const unlock = (name, id, content, caller = writer, options = {}) => speaks(caller).post(`${at}/${id}/unlock`, content, { label: `unlock: ${name}`, ...tidy, ...options });
  await unlock("another's with force, by a writer", first.lock.id, { force: true });
  await unlock('no accept', dotted.lock.id, {}, alice, { headers: { accept: '*/*' } });
  await unlock('anonymous', dotted.lock.id, {}, t.anonymous);
  await list('');

  // Who may
  const basic = async (...scopes) => alice.with({ authorization: 'Basic ' + Buffer.from(`${alice.name}:${(await alice.token(scopes)).secret}`).toString('base64') });
  const reads = await basic('read:repository');
  await batch('upload with a token that reads', reads, body);
  await batch('download with a token for users', await basic('write:user'), { ...body, operation: 'download' }, closed);
  await batch('public only, private repository', await basic('public-only', 'write:repository'), { ...body, operation: 'download' }, closed);
  await batch('a bad bearer', alice.with({ authorization: 'Bearer x.y.z' }), body);
  await batch('stranger uploads', stranger, body);
  await batch('in the wiki', alice, body, `${alice.name}/open.wiki`);
  await speaks(reads).post(at, { path: 'token.psd' }, { label: 'lock: with a token that reads' });
  await speaks(reads).get(at, paths);
  await alice.must('PATCH', `/repos/${open}`, { archived: true });
  await batch('download from an archived repository', alice, { ...body, operation: 'download' });
}
