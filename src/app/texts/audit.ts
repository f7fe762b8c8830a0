/** The words of the audit log. They come with its screen. */
import { auditEn } from './en/audit.ts'
import { german } from './index.ts'

export const auditTexts = german?.audit ?? auditEn
