/** The media type of requests and responses of Git LFS: https://github.com/git-lfs/git-lfs/blob/main/docs/api/README.md */
export const LFS_MEDIA_TYPE = 'application/vnd.git-lfs+json';
