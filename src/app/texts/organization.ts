/** The words around an organization: its people, teams, sign-in and rights. They come with its screens. */
import { organizationEn } from './en/organization.ts'
import { german } from './index.ts'

export const organizationTexts = german?.organization ?? organizationEn
