/** Whether a key goes into a text, so that it must not do anything else. */

/** Keys without a modifier belong to whoever writes. */
export const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof HTMLElement &&
    // A checkbox or a button inside the text is part of the text: a hand that slipped onto it goes on writing.
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('.ed-root') !== null))
