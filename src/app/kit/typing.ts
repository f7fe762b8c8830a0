/** Whether a key goes into a text, or to what stands open above the screen, so that it must not do anything else. */

const takesLetters = '.ed-root, [role="dialog"], [role="menu"], [role="listbox"]'

/** Keys without a modifier belong to whoever writes, and to what has the focus if that did something with them. */
export const isTyping = ({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean =>
  defaultPrevented ||
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof HTMLElement &&
    // A checkbox or a button inside the text is part of the text: a hand that slipped onto it goes on writing.
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest(takesLetters) !== null))
