/** Who a site can be read by, from the widest circle to the narrowest. */
export const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const
