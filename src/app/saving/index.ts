export { savePageFields } from './page-fields.ts'
export type { SaveStatus } from './status.ts'
