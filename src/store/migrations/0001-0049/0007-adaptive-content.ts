/** Until now conditions were decided whether adaptive content was on or off; sites stay as they were. Frozen. */
export default {
  number: 7,
  name: 'adaptive content',
  both: `
    update "site" set "adaptiveContent" = 1;
  `,
}
