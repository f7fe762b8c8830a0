/** Who a site can be read by, from the widest circle to the narrowest. */
export { siteVisibilities as visibilities } from '../../core/enumerations.ts'
