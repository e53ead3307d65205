/**
 * Values of the interface in words, as `humanize` writes them: states, kinds, shapes and grades.
 * They are shown by name, so no call of `t` mentions them.
 */
export const VALUES = {
  round: 'rund',
}
