/** What the requests and responses of Git LFS are: https://github.com/git-lfs/git-lfs/blob/main/docs/api/README.md */
export const LFS_MEDIA_TYPE = 'application/vnd.git-lfs+json';
