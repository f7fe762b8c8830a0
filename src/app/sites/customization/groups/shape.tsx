/** The group of settings about shape: corners, shadows, links, the page tree, icons. */
import {
  corners,
  depths,
  iconStyles,
  linkLooks,
  listStyles,
  searchFields,
  sideGrounds,
} from '../../../../core/customization/choices.ts'
import { customizationTexts } from '../../../texts/customization.ts'
import { Choice } from '../fields.tsx'
import { useCustomization } from '../form.tsx'

const texts = customizationTexts.shape

export function Shape() {
  const { settings, changePart } = useCustomization()
  const { styling } = settings
  const { sidebar } = styling
  return (
    <>
      <Choice
        at="styling.corners"
        label={texts.corners}
        options={corners}
        names={texts.cornerNames}
        value={styling.corners}
        onChange={(chosen) => changePart('styling', { corners: chosen })}
      />
      <Choice
        at="styling.depth"
        label={texts.depth}
        options={depths}
        names={texts.depths}
        value={styling.depth}
        onChange={(depth) => changePart('styling', { depth })}
      />
      <Choice
        at="styling.links"
        label={texts.links}
        options={linkLooks}
        names={texts.linkLooks}
        value={styling.links}
        onChange={(links) => changePart('styling', { links })}
      />
      <Choice
        at="styling.sidebar.list"
        label={texts.list}
        options={listStyles}
        names={texts.lists}
        value={sidebar.list}
        onChange={(list) => changePart('styling', { sidebar: { ...sidebar, list } })}
      />
      <Choice
        at="styling.sidebar.background"
        label={texts.sideGround}
        options={sideGrounds}
        names={texts.sideGrounds}
        value={sidebar.background}
        onChange={(background) => changePart('styling', { sidebar: { ...sidebar, background } })}
      />
      <Choice
        at="styling.search"
        label={texts.search}
        options={searchFields}
        names={texts.searches}
        value={styling.search}
        onChange={(search) => changePart('styling', { search })}
      />
      <Choice
        at="styling.icons"
        label={texts.icons}
        options={iconStyles}
        names={texts.iconStyles}
        value={styling.icons}
        onChange={(icons) => changePart('styling', { icons })}
      />
    </>
  )
}
