/**
 * Links to the installation itself, such as its API reference, are stored as `lectern:/reference`, so that they follow
 * when the installation moves. Outside they are plain addresses: nobody else knows the scheme.
 */
import type { CustomizationInput } from './complete.ts'
import type { Customization, LinkTarget } from './shape.ts'

const scheme = 'lectern:'

/** As it is answered: with the address at which the installation is reached. */
export const withPublicAddresses = (customization: Customization, app: string): Customization => {
  const { header, footer, announcement } = mapTargets(customization, (url) =>
    url.startsWith(`${scheme}/`) ? `${app}${url.slice(scheme.length)}` : url,
  )
  return {
    ...customization,
    header: { ...customization.header, ...header },
    footer: { ...customization.footer, ...footer },
    ...(announcement ? { announcement } : {}),
  }
}

/** As it is stored: addresses of the installation without its host. */
export const withOwnAddresses = <Given extends CustomizationInput>(given: Given, app: string): Given => ({
  ...given,
  ...mapTargets(given, (url) => (url.startsWith(`${app}/`) ? `${scheme}${url.slice(app.length)}` : url)),
})

/** The parts of a customization that hold links, each with its addresses changed. */
function mapTargets<Given extends CustomizationInput>(given: Given, change: (url: string) => string) {
  const target = <To extends LinkTarget>(to: To): To => (to?.kind === 'url' ? { ...to, url: change(to.url) } : to)
  const link = <Link extends { to: LinkTarget }>(one: Link): Link => ({ ...one, to: target(one.to) })
  const { header, footer, announcement } = given
  return {
    ...(header?.links
      ? {
          header: {
            ...header,
            links: header.links.map((one) => ({ ...link(one), links: (one.links ?? []).map(link) })),
          },
        }
      : {}),
    ...(footer?.groups
      ? { footer: { ...footer, groups: footer.groups.map((one) => ({ ...one, links: one.links.map(link) })) } }
      : {}),
    ...(announcement?.link ? { announcement: { ...announcement, link: link(announcement.link) } } : {}),
  }
}
