import { type AnyRoute, route } from '../http/route.ts';
import { refuseFile, serveHead, serveInfoRefs, serveReceivePack, serveUploadArchive, serveUploadPack } from './smart-http.ts';

/** Authentication follows git here: refusals are plain text and request credentials. */
const common = { hidden: true, open: true, responses: { 200: null } } as const;

/** Git over HTTP, at the clone URLs. */
export const transportRoutes: readonly AnyRoute[] = [
  route({
    ...common,
    method: 'GET',
    path: '//:owner/:repo/info/refs',
    id: 'gitInfoRefs',
    summary: 'Returns the refs to git',
    handle: (input, context) => serveInfoRefs(context, input),
  }),
  route({
    ...common,
    method: 'POST',
    path: '//:owner/:repo/git-upload-pack',
    id: 'gitUploadPack',
    summary: 'Serves a fetch',
    body: 'stream',
    handle: (input, context) => serveUploadPack(context, input),
  }),
  route({
    ...common,
    method: 'POST',
    path: '//:owner/:repo/git-receive-pack',
    id: 'gitReceivePack',
    summary: 'Receives a push',
    body: 'stream',
    handle: (input, context) => serveReceivePack(context, input),
  }),
  route({
    ...common,
    method: 'POST',
    path: '//:owner/:repo/git-upload-archive',
    id: 'gitUploadArchive',
    summary: 'Makes an archive for git',
    body: 'stream',
    handle: (input, context) => serveUploadArchive(context, input),
  }),
  route({
    ...common,
    method: 'GET',
    path: '//:owner/:repo/HEAD',
    id: 'gitHead',
    summary: 'Returns what HEAD points to',
    handle: (input, context) => serveHead(context, input),
  }),
  route({
    ...common,
    method: 'GET',
    path: '//:owner/:repo/objects/*',
    id: 'gitObjects',
    summary: 'Refuses the dumb protocol',
    handle: (input, context) => refuseFile(context, input),
  }),
];
