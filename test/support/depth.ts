/** `.ci/run` sets this: some tests then look at everything, instead of a part each time. */
export const isThorough = process.env.THOROUGH === 'on'
