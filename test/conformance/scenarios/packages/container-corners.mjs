// Corners of the container registry: paging, tags and digests, deletes, mounts, uploads in odd order, ranges, names.
import { id, index, INDEX, manifest, MANIFEST, part, registry } from './_bundles.mjs';
import { digest } from './_lib.mjs';

export default async function (t) {
  const owner = await t.user('owner');
  const other = await t.user('other');
  const token = async (caller) => t.anonymous.with({ authorization: `Bearer ${(await caller.send('GET', '//v2/token')).json.token}` });
  const [caller, guest, strange] = [await token(owner), await token(t.anonymous), await token(other)];
  const [user, anyone, stranger] = [caller, guest, strange].map((one) => registry(t, one));
  const image = `//v2/${owner.name}/app`;
  const [config, layer, big] = [Buffer.from('{"architecture":"arm64","os":"linux"}'), Buffer.from('layer bytes'), Buffer.from('0123456789')];
  for (const [label, data] of Object.entries({ config, layer, big })) t.name(digest('sha256', data), label);
  for (const data of [config, layer, big]) await user.blob(image, data);
  const first = manifest(config, [layer]);
  const second = manifest(config, [layer, big], { annotations: { 'org.opencontainers.image.version': '2', 'org.opencontainers.image.title': 'App' } });
  t.name(digest('sha256', first), 'first');
  t.name(digest('sha256', second), 'second');

  // tags
  for (const tag of ['1.0', '1.1', '2.0', 'latest', 'Edge', '_x', 'a'.repeat(128)]) await user.put(image, tag, first);
  for (const tag of ['a'.repeat(129), '-x', '.x', 'a+b', 'a%3Ab', '%C3%A4']) await user.put(image, tag, first);
  for (const query of ['', 'n=1', 'n=1&last=1.0', 'n=3&last=1.1', 'n=100', 'n=-1', 'n=x', 'last=', 'last=1.05', 'last=none', 'n=2&last=latest', 'n=0&last=1.0']) {
    const answer = await guest.send('GET', `${image}/tags/list?${query}`);
    t.record(`tags ${query}`, { status: answer.status, link: answer.headers.get('link') ?? undefined, body: answer.json });
  }
  await user.put(image, 'latest', second);
  await anyone.step('HEAD', `${image}/manifests/latest`);
  await anyone.step('HEAD', `${image}/manifests/LATEST`);
  await anyone.step('HEAD', `${image}/manifests/edge`);
  await anyone.step('GET', `${image}/manifests/${id(first)}`, { show: ({ text }) => text === first });
  await anyone.step('GET', `${image}/manifests/1.0`, { headers: { accept: 'application/vnd.docker.distribution.manifest.v2+json' }, show: ({ text }) => text === first });
  await anyone.step('HEAD', `${image}/manifests/sha256:${'0'.repeat(64)}`);
  await anyone.step('HEAD', `${image}/manifests/none`);
  await anyone.step('GET', `//v2/${owner.name}/none/manifests/latest`);
  await anyone.step('GET', `//v2/${t.unique('nobody')}/app/manifests/latest`);
  await anyone.step('GET', `//v2/${t.unique('nobody')}/app/tags/list`);
  await user.put(image, id(first), first);
  await user.put(image, 'plain', first, 'text/plain');
  await user.put(image, 'bare', JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: part('application/vnd.oci.image.config.v1+json', config), layers: [] }));
  await user.put(image, 'void', index([]), INDEX);

  // an index, and what it keeps
  const both = index([part(MANIFEST, first, { platform: { os: 'linux', architecture: 'arm64', variant: 'v8' } }), part(MANIFEST, second)]);
  t.name(digest('sha256', both), 'both');
  await user.put(image, 'multi', both, INDEX);
  await anyone.step('HEAD', `${image}/manifests/${id(both)}`);
  await owner.get(`/packages/${owner.name}/container/app`, { body: (json) => json.map(({ version }) => version).sort() });
  await owner.get(`/packages/${owner.name}/container/app/multi/files`, { body: (json) => json.map(({ name, size }) => `${name} ${size}`).sort() });
  await owner.get(`/packages/${owner.name}/container/app/latest`);
  await owner.get(`/packages/${owner.name}/container/app/-/latest`, { body: ({ version }) => version });

  // blobs
  const { headers } = await guest.send('HEAD', `${image}/blobs/${id(big)}`);
  t.record('the length of a blob', headers.get('content-length'));
  await anyone.step('HEAD', `${image}/blobs/sha256:${'0'.repeat(64)}`);
  await anyone.step('GET', `${image}/blobs/none`);
  await anyone.step('GET', `//v2/${owner.name}/none/blobs/${id(big)}`);
  await stranger.step('DELETE', `${image}/blobs/${id(big)}`);
  await user.step('DELETE', `${image}/blobs/sha256:${'0'.repeat(64)}`);
  await user.step('DELETE', `${image}/blobs/none`);

  // mounts
  const copy = `//v2/${owner.name}/a/b/c/copy`;
  await user.step('POST', `${copy}/blobs/uploads?mount=${id(big)}`);
  await user.step('POST', `${copy}/blobs/uploads?mount=${id(layer)}&from=${owner.name}/none`);
  await user.step('POST', `${copy}/blobs/uploads?mount=sha256:${'0'.repeat(64)}&from=${owner.name}/app`);
  await user.step('POST', `${copy}/blobs/uploads/?mount=bad&from=${owner.name}/app`);
  await user.step('HEAD', `${copy}/blobs/${id(big)}`);
  await stranger.step('POST', `//v2/${other.name}/copy/blobs/uploads?mount=${id(config)}&from=${owner.name}/app`);
  const hidden = await t.user('hidden', { visibility: 'private' });
  const kept = registry(t, await token(hidden));
  const own = Buffer.from('only here');
  t.name(digest('sha256', own), 'own');
  await kept.blob(`//v2/${hidden.name}/app`, own);
  await stranger.step('POST', `//v2/${other.name}/copy/blobs/uploads?mount=${id(own)}&from=${hidden.name}/app`);
  await stranger.step('HEAD', `//v2/${hidden.name}/app/blobs/${id(own)}`);
  await stranger.step('GET', `//v2/${hidden.name}/app/tags/list`);

  // uploads in odd order
  let upload = await user.start(image);
  await user.step('PUT', `${upload}?digest=sha256:${'0'.repeat(64)}`);
  upload = await user.start(image);
  await user.step('PATCH', upload, { raw: 'abc' });
  await user.step('PATCH', upload, { raw: 'def' });
  await user.step('PATCH', upload, { raw: 'x', headers: { 'content-range': '0-0' } });
  await user.step('PATCH', upload, { raw: 'ghi', headers: { 'content-range': 'x' } });
  await stranger.step('GET', upload);
  await stranger.step('PATCH', upload, { raw: 'x' });
  await user.step('GET', upload);
  t.name(digest('sha256', 'abcdefEND'), 'joined');
  await user.step('PUT', `${upload}?digest=${id('abcdefEND')}`, { raw: 'END' });
  await user.step('GET', upload);
  await user.step('GET', `${image}/blobs/uploads/none`);
  await user.step('PATCH', `${image}/blobs/uploads/none`, { raw: 'x' });
  await user.step('PUT', `${image}/blobs/uploads/none?digest=${id(big)}`, { raw: big });
  await user.step('DELETE', `${image}/blobs/uploads/none`);
  await user.step('POST', `${image}/blobs/uploads?digest=bad`, { raw: 'x' });
  await user.step('POST', `${image}/blobs/uploads?digest=${id(big)}`, { raw: big });
  for (const name of ['UPPER', 'a..b', 'a___b', '-a', 'a-', 'a.b/c_d']) await user.step('HEAD', `//v2/${owner.name}/${name}/blobs/${id(big)}`);
  for (const name of ['UPPER', 'a..b', 'a-']) await user.step('POST', `//v2/${owner.name}/${name}/blobs/uploads`);

  // deletes
  await stranger.step('DELETE', `${image}/manifests/2.0`);
  await user.step('DELETE', `${image}/manifests/none`);
  await user.step('DELETE', `${image}/manifests/multi`);
  await anyone.step('HEAD', `${image}/manifests/${id(both)}`);
  await user.step('DELETE', `${image}/manifests/${id(first)}`);
  await user.step('DELETE', `${image}/manifests/${id(first)}`);
  for (const reference of ['1.0', '1.1', 'latest', id(first), id(second)]) await anyone.step('HEAD', `${image}/manifests/${reference}`);
  await user.put(image, '1.0', first);
  await owner.delete(`/packages/${owner.name}/container/app/1.0`);
  await anyone.step('HEAD', `${image}/manifests/1.0`);
  await anyone.step('HEAD', `${image}/manifests/${id(first)}`);
  await guest.get(`${image}/tags/list`);
  await user.step('DELETE', `${image}/blobs/${id(big)}`);
  await anyone.step('HEAD', `${image}/blobs/${id(big)}`);
  await owner.delete(`/packages/${owner.name}/container/app`);
  await anyone.step('HEAD', `${image}/blobs/${id(layer)}`);
  await anyone.step('HEAD', `${copy}/blobs/${id(layer)}`);
  await guest.get(`//v2/_catalog?n=0`, { body: ({ repositories }) => Array.isArray(repositories) });
}
