/** How a site is to look: the same fields as the API's, under the name by which the theme knows them. */
export * from '../core/customization.ts'
